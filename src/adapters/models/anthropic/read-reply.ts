import type { JsonObject } from "#core";
import type { ModelChunk } from "#runtime";
import type { Bytes } from "../shared/byte-queue.ts";
import { failureOfEvent, type Peer } from "../shared/error-answer.ts";
import { isJsonObject, parseJson } from "../shared/json-read.ts";
import { readStream } from "../shared/read-stream.ts";
import type { SseEvent } from "../shared/sse.ts";
import { replyReader } from "./reply.ts";

export interface ReadOptions {
  /** Owner of opaque data: goes back to this provider only. */
  readonly provider: string;
  readonly model: string;
  readonly peer: Peer;
}

/** The chunks of one streamed reply: any number, then exactly one `end` or `failure`. Never throws. */
export function readReply(bytes: Bytes, options: ReadOptions): AsyncGenerator<ModelChunk> {
  const { peer } = options;
  const reader = replyReader({
    ...options,
    failureOfError: (error) => failureOfEvent(error, peer),
  });
  return readStream(bytes, { peer, reader, frameOf });
}

/** Null for what is no frame of this protocol: pings without data, end marks of other protocols. */
function frameOf({ name, data }: SseEvent): JsonObject | "damaged" | null {
  if (data.trim() === "" || data === "[DONE]" || name === "ping") return null;
  const { value, problem } = parseJson(data);
  if (problem !== null) return "damaged";
  if (!isJsonObject(value)) return null;
  if (typeof value["type"] === "string") return value;
  // Gateways leave the type out of errors.
  return { ...value, type: name ?? (isJsonObject(value["error"]) ? "error" : "") };
}
