import type { JsonObject } from "#core";

/** Google's APIs refuse every field they do not know, in these words. */
export function unknownNames(object: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => `Invalid JSON payload received. Unknown name "${key}": Cannot find field.`);
}
