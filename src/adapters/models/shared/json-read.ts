import type { Json, JsonObject } from "#core";

/** Reading JSON from outside: nothing is trusted, nothing throws. */

/** Deeper nesting than this overflows the stack of recursive readers; no real argument comes near it. */
const deepest = 200;

/** The value of a JSON text; null when it is not JSON or nested too deeply, with the reason. */
export function parseJson(
  text: string,
):
  | { readonly value: Json; readonly problem: null }
  | { readonly value: null; readonly problem: string } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json; // JSON.parse gives JSON or throws
  } catch {
    return { value: null, problem: "not valid JSON" };
  }
  // Each level takes two characters: short texts, nearly all frames of a stream, need no look.
  return text.length > 2 * deepest && isTooDeep(value)
    ? { value: null, problem: "nested too deeply" }
    : { value, problem: null };
}

function isTooDeep(root: Json): boolean {
  const open: { readonly value: Json; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    if (next.depth >= deepest) return true;
    const depth = next.depth + 1;
    for (const value of Object.values(next.value)) {
      if (typeof value === "object") open.push({ value, depth });
    }
  }
  return false;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const objectOf = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);

export const stringOf = (value: unknown): string | null =>
  typeof value === "string" ? value : null;

/** No reply has a trillion of anything; sums of what is smaller stay exact. */
const mostThings = 1e12;

/** A count of things: a number from 0 to a trillion. Anything else counts nothing. */
export const countOf = (value: unknown): number | null =>
  typeof value === "number" && value >= 0 && value <= mostThings ? value : null;
