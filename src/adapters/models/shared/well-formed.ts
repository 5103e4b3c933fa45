import { type Json, wellFormed } from "#core";

/**
 * JSON of a value in which lone surrogates (half an emoji, left by a cut) have become U+FFFD: providers answer them
 * with 400, and a history that holds one could never be sent again (field case W05).
 */
export function wellFormedJson(value: Json): string {
  const json = JSON.stringify(value);
  // JSON.stringify writes lone surrogates, and only them, as \ud8…\udf; the text itself may hold that too.
  return json.includes("\\ud") ? JSON.stringify(wellFormed(value)) : json;
}
