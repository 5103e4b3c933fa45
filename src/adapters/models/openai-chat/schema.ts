import type { Json, JsonObject } from "#core";
import { isJsonObject } from "../shared/json-read.ts";
import type { Dialect } from "../capabilities.ts";

/** A tool's schema as the dialect takes it (field case W11). */
export function schemaFor(schema: JsonObject, { schemaNodes }: Dialect): JsonObject {
  return schemaNodes === "any" ? schema : typed(schema);
}

const types = ["string", "number", "boolean", "object", "array", "null"];
const saysItsType = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "not"];
const listsOfSchemas = ["anyOf", "oneOf", "allOf", "prefixItems"];
const mapsOfSchemas = ["properties", "$defs", "definitions", "patternProperties"];
const innerSchemas = ["items", "additionalProperties", "not"];

/** The same schema with a type at every node: a node that took anything takes each of the types there are. */
function typed(schema: JsonObject): JsonObject {
  const inside = Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, Json] => [key, typedAt(key, value)]),
  );
  if (saysItsType.some((key) => key in inside)) return inside;
  if ("properties" in inside) return { type: "object", ...inside };
  if ("items" in inside) return { type: "array", ...inside };
  return { ...inside, anyOf: types.map((type) => ({ type })) };
}

function typedAt(key: string, value: Json): Json {
  if (listsOfSchemas.includes(key) && Array.isArray(value)) {
    return value.map((item: Json) => (isJsonObject(item) ? typed(item) : item));
  }
  if (!isJsonObject(value)) return value;
  if (innerSchemas.includes(key)) return typed(value);
  if (!mapsOfSchemas.includes(key)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, Json] => [
      name,
      isJsonObject(item) ? typed(item) : item,
    ]),
  );
}
