import type { JsonObject } from "#core";
import type { ModelChunk } from "#runtime";
import type { Bytes } from "../shared/byte-queue.ts";
import { failureOfAnswer, failureOfEvent, type Peer } from "../shared/error-answer.ts";
import { isJsonObject, parseJson } from "../shared/json-read.ts";
import { cutOff, failed } from "../shared/network-failure.ts";
import type { Answer } from "../shared/post.ts";
import { readAnswer } from "../shared/read-answer.ts";
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

/** Servers that cannot stream give the reply as one document; so do errors that come with status 200. */
export function readAnyReply(answer: Answer, options: ReadOptions): AsyncGenerator<ModelChunk> {
  const { peer } = options;
  return readAnswer(answer.body, {
    peer,
    stream: (bytes) => readReply(bytes, options),
    whole: (value, text) =>
      isJsonObject(value) && value["type"] === "message"
        ? readDocument(value, options)
        : [failed(failureOfAnswer({ ...answer, body: text }, peer))],
  });
}

/** The chunks of a reply that came whole: the frames it would have been. */
function readDocument(message: JsonObject, options: ReadOptions): readonly ModelChunk[] {
  const { peer } = options;
  const reader = replyReader({
    ...options,
    failureOfError: (error) => failureOfEvent(error, peer),
  });
  const content = Array.isArray(message["content"]) ? message["content"] : [];
  const { stop_reason = null, stop_details = null, usage = null } = message;
  const frames: readonly JsonObject[] = [
    { type: "message_start", message },
    ...content.flatMap((content_block, index) => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_details }, usage },
    { type: "message_stop" },
  ];
  return [
    ...frames.flatMap((frame) => reader.accept(frame)),
    ...reader.end(cutOff(peer, "it holds no reply")),
  ];
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
