import { type Json, type JsonObject, wellFormed } from "#core";
import type { ModelRequest } from "#runtime";
import type { Capabilities } from "../capabilities.ts";
import { isJsonObject } from "./json-read.ts";

/**
 * The schema that a wire holds the answer to, as every provider takes it; null where none is wanted, the model cannot,
 * or the schema says more than all of them understand: then the words of the prompt alone ask for it (ADR 0011).
 */
export function strictSchema(
  { answerSchema }: ModelRequest,
  ability: Capabilities["answerSchema"],
): JsonObject | null {
  if (ability === "refused" || !answerSchema) return null;
  const { $schema: _, ...schema } = answerSchema;
  if (!isJsonObject(schema["properties"]) || !isStrict(schema, deepest)) return null;
  const sendable = wellFormed(schema);
  return isJsonObject(sendable) ? sendable : null;
}

/** Source of both: "Structured outputs", OpenAI API documentation, 2026-11: the strictest of them. */
const deepest = 5;
const scalars: readonly Json[] = ["string", "number", "integer", "boolean", "null"];

const keywords: ReadonlySet<string> = new Set([
  "type",
  "description",
  "title",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
]);

/** Every part has a type, every property is required, no other is allowed, and nothing limits a value. */
function isStrict(schema: Json | undefined, left: number): boolean {
  if (left < 0 || !isJsonObject(schema)) return false;
  if (!Object.keys(schema).every((key) => keywords.has(key))) return false;
  const { type, anyOf, items } = schema;
  if (anyOf !== undefined) return Array.isArray(anyOf) && anyOf.every((one) => isStrict(one, left));
  if (type === "object") return isStrictObject(schema, left);
  if (type === "array") return isStrict(items, left - 1);
  const named = Array.isArray(type) ? type : [type];
  return named.length > 0 && named.every((name: Json | undefined) => scalars.includes(name ?? ""));
}

function isStrictObject(schema: JsonObject, left: number): boolean {
  const { properties, required, additionalProperties } = schema;
  if (!isJsonObject(properties) || additionalProperties !== false) return false;
  const names = Object.keys(properties);
  return (
    Array.isArray(required) &&
    names.every((name) => required.includes(name)) &&
    Object.values(properties).every((inner) => isStrict(inner, left - 1))
  );
}
