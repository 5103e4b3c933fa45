import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, parseJson } from "../shared/json-read.ts";
import { wellFormedJson } from "../shared/well-formed.ts";

/** Types a parameter may have by its tool's schema; null: any. */
type Types = ReadonlySet<string> | null;

/**
 * The value of a parameter as its tool's schema types it: texts exactly as they stand, anything else as JSON. Where a
 * text is possible among others, what reads as JSON of one of the others is that.
 */
export function valueOf(
  text: string,
  parameter: { readonly name: string; readonly schema: JsonObject | null },
): { readonly value: Json; readonly problem: string | null } {
  const types = typesOf(parameter);
  if (types?.size === 1 && types.has("string")) return { value: text, problem: null };
  const read = parseJson(text.trim());
  if (read.problem === null && (types === null || fits(read.value, types))) {
    return { value: read.value, problem: null };
  }
  if (types === null || types.has("string")) return { value: text, problem: null };
  // JSON of another type: the tool itself says best what it wants.
  if (read.problem === null) return { value: read.value, problem: null };
  const wanted = [...types].join(" or ");
  const problem = `${read.problem} where it must be: parameter "${parameter.name}" takes ${wanted}`;
  return { value: text, problem };
}

/** The text of a value as it stands between tags. */
export const textOfValue = (value: Json): string =>
  typeof value === "string" ? value : wellFormedJson(value);

/** The tool's schema has such a parameter, by any spelling; true where the schema names none. */
export function isParameter(name: string, schema: JsonObject | null): boolean {
  const properties = objectOf(schema?.["properties"]);
  if (schema === null || properties === null || schema["additionalProperties"] === true)
    return true;
  const names = Object.keys(properties);
  return names.length === 0 || names.some((known) => spelled(known) === spelled(name));
}

const spelled = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();

function typesOf({ name, schema }: { name: string; schema: JsonObject | null }): Types {
  const properties = objectOf(schema?.["properties"]) ?? {};
  const key = Object.keys(properties).find((known) => spelled(known) === spelled(name));
  const own = objectOf(key === undefined ? undefined : properties[key]);
  return own === null || schema === null ? null : typesIn(own, { root: schema, depth: 0 });
}

function typesIn(
  schema: JsonObject,
  at: { readonly root: JsonObject; readonly depth: number },
): Types {
  if (at.depth > deepest) return null;
  const inner = { ...at, depth: at.depth + 1 };
  const { type, enum: values, const: only, $ref: reference } = schema;
  if (typeof type === "string") return new Set([type]);
  if (Array.isArray(type))
    return new Set(type.filter((one): one is string => typeof one === "string"));
  if (Array.isArray(values)) return new Set(values.map((value: Json) => typeOf(value)));
  if (only !== undefined) return new Set([typeOf(only)]);
  if (typeof reference === "string") {
    const target = objectOf(placeIn(at.root, reference));
    return target === null ? null : typesIn(target, inner);
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const list = schema[key];
    if (!Array.isArray(list)) continue;
    const each = list.map((one: Json) => (isJsonObject(one) ? typesIn(one, inner) : null));
    const known = each.filter((types) => types !== null);
    // One of several may be anything; all of several are as narrow as their narrowest.
    if (known.length === each.length || (key === "allOf" && known.length > 0)) {
      return new Set(known.flatMap((types) => [...types]));
    }
  }
  return null;
}

/** Real schemas nest a few choices; one that refers to itself ends here. */
const deepest = 8;

/** `#/$defs/name` */
function placeIn(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let place: Json | undefined = root;
  for (const key of reference.slice(2).split("/")) place = objectOf(place)?.[key];
  return place;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

const fits = (value: Json, types: ReadonlySet<string>): boolean =>
  types.has(typeOf(value)) || (typeof value === "number" && types.has("integer"));
