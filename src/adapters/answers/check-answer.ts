import { jsonAnswer, type JsonObject } from "#core";
import { validatorOf, type Verdict } from "./validator.ts";

/** Characters of what a model is told; it has the schema. */
const mostCharacters = 1_500;
/** Parts that are named. */
const mostParts = 8;

let last: { readonly schema: string; readonly check: ReturnType<typeof validatorOf> } | null = null;

/** See `CheckAnswer`. */
export function problemOf(answer: string, schema: string): string | null {
  const found = jsonAnswer(answer);
  if ("problem" in found) return found.problem;
  try {
    if (last?.schema !== schema) {
      const parsed: JsonObject = JSON.parse(schema);
      last = { schema, check: validatorOf(parsed) };
    }
    return said(last.check(found.value));
  } catch (error) {
    // A schema is read before it gets here; a journal from elsewhere may hold another.
    return `it cannot be held against the schema (${String(error).slice(0, 200)}).`;
  }
}

function said(verdict: Verdict): string | null {
  if (verdict.at === "fits") return null;
  if (verdict.at === "endless") return "it takes too long to hold it against the schema.";
  const parts = verdict.errors.filter(({ keyword }) => !passesOn.has(keyword));
  const told = (parts.length > 0 ? parts : verdict.errors).map(
    ({ instanceLocation, keyword, error }) =>
      `${place(instanceLocation)}: ${keyword === "false" ? "This is not allowed here." : error}`,
  );
  const lines = [...new Set(told)];
  const more = lines.length > mostParts ? ` (and ${lines.length - mostParts} more)` : "";
  const whole = lines.slice(0, mostParts).join(" ");
  return `${whole.slice(0, mostCharacters).toWellFormed()}${more}`;
}

/** These only say that something inside them is wrong, which is said of that itself. */
const passesOn: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "allOf",
  "$ref",
]);

/** `#/a/0` → `/a/0`; `#` → `the answer`. */
const place = (location: string): string =>
  location === "#" ? "the answer" : decode(location.slice(1)).slice(0, 200);

function decode(pointer: string): string {
  try {
    return decodeURI(pointer);
  } catch {
    // A name with a lone percent sign.
    return pointer;
  }
}
