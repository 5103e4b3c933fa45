import type { Json, JsonObject } from "#core";
import type { ModelChunk } from "#runtime";
import type { Bytes } from "../shared/byte-queue.ts";
import { failureOfEvent, type Peer } from "../shared/error-answer.ts";
import { isJsonObject, parseJson, stringOf } from "../shared/json-read.ts";
import { cutOff, failureWithoutAnswer } from "../shared/network-failure.ts";
import { readStream, type FrameReader } from "../shared/read-stream.ts";
import type { SseEvent } from "../shared/sse.ts";
import type { Dialect } from "../capabilities.ts";
import { replyReader, type ChatFrame } from "./reply.ts";
import { failureLabel } from "./stop.ts";

export interface ReadOptions {
  readonly dialect: Dialect;
  /** Reference of the model that was asked. */
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly peer: Peer;
}

/** The chunks of one streamed reply: any number, then exactly one `end` or `failure`. Never throws. */
export function readReply(bytes: Bytes, options: ReadOptions): AsyncGenerator<ModelChunk> {
  return readStream(bytes, { peer: options.peer, reader: readerOf(options), frameOf });
}

/** A reply that came as one document: a stream of one chunk. */
export function readDocument(document: JsonObject, options: ReadOptions): readonly ModelChunk[] {
  const reader = readerOf(options);
  return [
    ...reader.accept({ type: "chunk", chunk: document }),
    ...reader.accept({ type: "done" }),
    ...reader.end(cutOff(options.peer, "it holds no reply")),
  ];
}

export const holdsReply = (document: Json): document is JsonObject =>
  isJsonObject(document) && Array.isArray(document["choices"]) && !isJsonObject(document["error"]);

function readerOf({ dialect, peer, ...about }: ReadOptions): FrameReader<ChatFrame> {
  return replyReader({
    ...about,
    dialect,
    failureOfError: (error) => failureOfEvent(error, peer),
    failureOfLabel: (label) =>
      failureWithoutAnswer(
        failureLabel(label) ?? "server",
        `${peer.name} broke the reply off (${label}).`,
      ),
  });
}

/** Null for what is no frame of this protocol: pings, comments, empty data. */
function frameOf({ name, data }: SseEvent): ChatFrame | "damaged" | null {
  const text = data.trim();
  if (text === "" || name === "ping") return null;
  if (text === "[DONE]") return { type: "done" };
  const { value, problem } = parseJson(text);
  return problem === null ? frameIn(value, name) : "damaged";
}

function frameIn(value: Json, name: string | null): ChatFrame | null {
  if (!isJsonObject(value)) return null;
  const isError = name === "error" || value["object"] === "error" || isBareMessage(value);
  if (!isError || isJsonObject(value["error"])) return { type: "chunk", chunk: value };
  const error = stringOf(value["error"]);
  return { type: "error", error: error === null ? value : { message: error } };
}

/** Some gateways send an error as nothing but its text. */
const isBareMessage = (value: JsonObject): boolean =>
  !("choices" in value || "usage" in value || "id" in value) &&
  (typeof value["message"] === "string" || typeof value["detail"] === "string");
