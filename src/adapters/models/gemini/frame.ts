import type { JsonObject } from "#core";
import { isJsonObject, parseJson } from "../shared/json-read.ts";
import type { SseEvent } from "../shared/sse.ts";

/** The frame in an event; null for what is none: pings without data, end marks of other protocols. */
export function frameOf({ data }: SseEvent): JsonObject | "damaged" | null {
  if (data.trim() === "" || data === "[DONE]") return null;
  const { value, problem } = parseJson(data);
  if (problem !== null) return "damaged";
  return isJsonObject(value) ? value : null;
}
