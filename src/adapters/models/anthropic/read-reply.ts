import type { Failure, JsonObject } from "#core";
import type { ModelChunk } from "#runtime";
import type { Bytes } from "../shared/byte-queue.ts";
import { failureOfEvent, type Peer } from "../shared/error-answer.ts";
import { isJsonObject, parseJson } from "../shared/json-read.ts";
import { cutOff } from "../shared/network-failure.ts";
import { serverSentEvents, type SseEvent } from "../shared/sse.ts";
import { replyReader } from "./reply.ts";

export interface ReadOptions {
  /** Owner of opaque data: goes back to this provider only. */
  readonly provider: string;
  readonly model: string;
  readonly peer: Peer;
}

/** The chunks of one streamed reply: any number, then exactly one `end` or `failure`. Never throws. */
export async function* readReply(bytes: Bytes, options: ReadOptions): AsyncGenerator<ModelChunk> {
  const { peer } = options;
  const reader = replyReader({
    ...options,
    failureOfError: (error) => failureOfEvent(error, peer),
  });
  let broken: Failure | null = null;
  const events = serverSentEvents(bytes, () => {
    broken = cutOff(peer, "it is larger than any reply may be");
  });
  reading: for await (const batch of events) {
    for (const event of batch) {
      if (bytes.failure?.class === "aborted") break reading;
      const frame = frameOf(event);
      // A frame that cannot be read may have held part of a command: nothing of this reply can be trusted.
      if (frame === "damaged" && !reader.hasStop) {
        broken = cutOff(peer, "a frame of it is damaged");
        break reading;
      }
      if (frame === null || frame === "damaged") continue;
      yield* reader.accept(frame);
      if (reader.isOver) break reading;
    }
  }
  yield reader.end(bytes.failure ?? broken ?? cutOff(peer, "the stream stopped before its end"));
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
