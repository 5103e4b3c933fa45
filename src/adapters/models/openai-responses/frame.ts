import type { JsonObject } from "#core";
import { isJsonObject, objectOf, parseJson } from "../shared/json-read.ts";
import type { SseEvent } from "../shared/sse.ts";

/** An event that cannot be read, and of which only its kind counts. */
export const unreadable = "unreadable";

/**
 * The frame in an event. Null for what is no frame of this protocol: pings without data, end marks of other protocols.
 * Events that only announce the reply or its end may be damaged: each item is told whole by its own `output_item.done`.
 * @param isWhole the connection has not broken, so that the event was sent as it is
 */
export function frameOf({ name, data }: SseEvent, isWhole: boolean): JsonObject | "damaged" | null {
  if (data.trim() === "" || data === "[DONE]" || name === "ping") return null;
  const { value, problem } = parseJson(data);
  if (problem !== null) {
    const type = name ?? /^\s*\{\s*"type"\s*:\s*"([\w.]+)"/.exec(data)?.[1] ?? "";
    return isWhole && aboutTheReply.has(type) ? { type, [unreadable]: true } : "damaged";
  }
  if (!isJsonObject(value)) return null;
  if (typeof value["type"] === "string") return value;
  return { ...value, type: name ?? typeByForm(value) };
}

const aboutTheReply: ReadonlySet<string> = new Set([
  "response.created",
  "response.queued",
  "response.in_progress",
  "response.completed",
]);

/** Gateways leave the type out of errors. */
const typeByForm = (value: JsonObject): string =>
  objectOf(value["error"]) !== null && value["output"] === undefined ? "error" : "";
