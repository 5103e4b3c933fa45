import { dereference, type Schema } from "@cfworker/json-schema";

import type { Json, JsonObject } from "#core";
import { schemaOfSchemas } from "./schema-of-schemas.ts";
import { validatorOf } from "./validator.ts";

/** Why a text cannot be used as a JSON Schema. */
export type SchemaProblem =
  | { readonly at: "not_json"; readonly detail: string }
  | { readonly at: "not_an_object" }
  | { readonly at: "too_large"; readonly most: number }
  | { readonly at: "too_deep"; readonly most: number }
  /** A reference to what the file does not hold. */
  | { readonly at: "no_such_reference"; readonly reference: string }
  /** A keyword holds what it may not. */
  | { readonly at: "no_schema"; readonly place: string; readonly detail: string }
  /** It refers to itself without an end. */
  | { readonly at: "endless" };

/** `schema` is the text to keep: the same, without blanks. */
export type ReadSchema = (
  text: string,
) => Promise<{ readonly schema: string } | { readonly problem: SchemaProblem }>;

/** Bytes: it goes to the model with the prompt. */
const mostBytes = 256 * 1024;
const deepest = 64;

export function read(
  text: string,
): { readonly schema: string } | { readonly problem: SchemaProblem } {
  if (Buffer.byteLength(text) > mostBytes) return no({ at: "too_large", most: mostBytes });
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return no({ at: "not_json", detail: error instanceof Error ? error.message : String(error) });
  }
  if (!isObject(value)) return no({ at: "not_an_object" });
  if (isDeeper(value, deepest)) return no({ at: "too_deep", most: deepest });
  // Marks are put on what is looked at.
  const problem = wrongForm(value) ?? wrongParts(structuredClone(value)) ?? endless(value);
  return problem === null ? { schema: JSON.stringify(value) } : no(problem);
}

const no = (problem: SchemaProblem): { readonly problem: SchemaProblem } => ({ problem });

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isDeeper(value: Json, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isDeeper(inner, left - 1));
}

function wrongForm(schema: JsonObject): SchemaProblem | null {
  const verdict = validatorOf(structuredClone(schemaOfSchemas))(schema);
  if (verdict.at === "fits") return null;
  if (verdict.at === "endless") return { at: "endless" };
  const [deepestPart] = verdict.errors
    .filter(({ keyword }) => keyword !== "$ref" && keyword !== "anyOf")
    .toSorted((a, b) => b.instanceLocation.length - a.instanceLocation.length);
  const { instanceLocation = "#", error = "" } = deepestPart ?? {};
  return { at: "no_schema", place: instanceLocation, detail: error };
}

/** References that lead nowhere, or out of the file, and patterns that are none. */
function wrongParts(schema: JsonObject): SchemaProblem | null {
  let known: ReturnType<typeof dereference>;
  try {
    known = dereference(schema as Schema); // a copy of its own
  } catch (error) {
    return { at: "no_schema", place: "#", detail: error instanceof Error ? error.message : "" };
  }
  for (const [place, part] of Object.entries(known)) {
    if (typeof part !== "object") continue;
    const { $ref: reference, pattern, patternProperties = {} } = part;
    if (reference !== undefined && known[part.__absolute_ref__ ?? reference] === undefined) {
      return { at: "no_such_reference", reference };
    }
    if (isCircle(part, known)) return { at: "endless" };
    const patterns = [
      ...(pattern === undefined ? [] : [pattern]),
      ...Object.keys(patternProperties),
    ];
    const wrong = patterns.map(wrongPattern).find((problem) => problem !== null);
    if (wrong !== undefined) {
      return { at: "no_schema", place: place.replace(/^[^#]*/, "") || "#", detail: wrong };
    }
  }
  return null;
}

/** References that lead to nothing but each other. */
function isCircle(first: Schema, known: ReturnType<typeof dereference>): boolean {
  const seen = new Set<unknown>();
  let part: Schema | boolean | undefined = first;
  while (typeof part === "object" && part.__absolute_ref__ !== undefined) {
    if (seen.has(part)) return true;
    seen.add(part);
    part = known[part.__absolute_ref__];
  }
  return false;
}

function wrongPattern(pattern: string): string | null {
  try {
    RegExp(pattern, "u");
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** One value of each type: enough to fall into a circle of references. */
const samples: readonly Json[] = [null, true, 0, "", [], {}];

function endless(schema: JsonObject): SchemaProblem | null {
  const check = validatorOf(structuredClone(schema));
  return samples.some((sample) => check(sample).at === "endless") ? { at: "endless" } : null;
}
