import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";

/**
 * JSON Schema in the words the API knows (source: `Schema`, Gemini API reference, 2026-11): it answers any other word
 * with 400 (field case W11). What has no word there is left out, so that more is allowed than the tool takes; the tool
 * checks its arguments itself. Null for an object without properties: the API then wants no schema at all.
 */
export function parametersOf(schema: JsonObject): JsonObject | null {
  const written = writer(schema)({ ...schema, type: "object" }, top);
  return written["properties"] === undefined ? null : written;
}

type Take = (value: Json) => boolean;

const isText: Take = (value) => typeof value === "string";
const isNumber: Take = (value) => typeof value === "number";
const isCount: Take = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isOneOf =
  (...words: readonly string[]): Take =>
  (value) =>
    typeof value === "string" && words.includes(value);

/** Words beside each type, and the values they may have. Everything else is dropped. */
const wordsOf: Readonly<Record<string, Readonly<Record<string, Take>>>> = {
  string: { format: isOneOf("date-time"), pattern: isText, minLength: isCount, maxLength: isCount },
  number: { format: isOneOf("float", "double"), minimum: isNumber, maximum: isNumber },
  integer: { format: isOneOf("int32", "int64"), minimum: isNumber, maximum: isNumber },
  boolean: {},
  array: { minItems: isCount, maxItems: isCount },
  object: {},
};
const always: Readonly<Record<string, Take>> = { title: isText, description: isText };

/** Where in a schema we are: how deep, and inside which references. */
interface Place {
  readonly depth: number;
  readonly refs: readonly string[];
}
const top: Place = { depth: 0, refs: [] };

/** A schema may name itself, or unfold without end: what stands deeper, or after so many nodes, is any object. */
const deepest = 24;
const mostNodes = 2000;
const anyObject: JsonObject = { type: "object" };

type Write = (schema: Json | undefined, place: Place) => JsonObject;

function writer(root: JsonObject): Write {
  let nodes = 0;

  const write: Write = (schema, { depth, refs }) => {
    nodes += 1;
    if (nodes > mostNodes || depth > deepest) return anyObject;
    const found = unfolded(schema, { root, refs });
    if (found === null) return anyObject;
    const inside: Place = { depth: depth + 1, refs: found.refs };
    const { choices, isNullable } = choicesOf(found.schema);
    if (choices.length > 1) return { anyOf: choices.map((choice) => write(choice, inside)) };
    const only = choices[0] ?? found.schema;
    return choices[0] !== undefined && isFolded(only)
      ? { ...write(only, inside), ...(isNullable ? { nullable: true } : {}) }
      : node(only, { isNullable, write: (child) => write(child, inside) });
  };
  return write;
}

/** References followed and `allOf` put together; null for one that leads back into itself or nowhere. */
function unfolded(
  schema: Json | undefined,
  from: { readonly root: JsonObject; readonly refs: readonly string[] },
): { readonly schema: JsonObject; readonly refs: readonly string[] } | null {
  const own = objectOf(schema) ?? {};
  const ref = stringOf(own["$ref"]);
  if (ref !== null) {
    const target = from.refs.includes(ref) ? null : objectOf(targetOf(ref, from.root));
    const rest = Object.fromEntries(Object.entries(own).filter(([key]) => key !== "$ref"));
    return target === null
      ? null
      : unfolded({ ...target, ...rest }, { root: from.root, refs: [...from.refs, ref] });
  }
  const all = own["allOf"];
  if (!Array.isArray(all)) return { schema: own, refs: from.refs };
  const parts = all.map((part: Json) => unfolded(part, from)?.schema ?? {});
  const { allOf: _, ...rest } = own;
  return { schema: [...parts, rest].reduce(both, {}), refs: from.refs };
}

/** `#/$defs/name` in the schema it stands in. */
function targetOf(ref: string, root: JsonObject): Json | undefined {
  if (!ref.startsWith("#/")) return undefined;
  const keys = ref.slice(2).split("/");
  return keys.reduce<Json | undefined>((value, key) => {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

function both(a: JsonObject, b: JsonObject): JsonObject {
  return {
    ...a,
    ...b,
    ...joined("properties", objectOf(a["properties"]), objectOf(b["properties"])),
    ...(Array.isArray(a["required"]) && Array.isArray(b["required"])
      ? { required: [...a["required"], ...b["required"]] }
      : {}),
  };
}

function joined(key: string, a: JsonObject | null, b: JsonObject | null): JsonObject {
  return a === null || b === null ? {} : { [key]: { ...a, ...b } };
}

interface Choices {
  /** More than one: each stands for itself. One: all there is. None: the schema itself. */
  readonly choices: readonly JsonObject[];
  readonly isNullable: boolean;
}

/** The API wants a choice to stand alone; null is no choice there but a word of its own. */
function choicesOf(schema: JsonObject): Choices {
  const given = schema["anyOf"] ?? schema["oneOf"];
  const { anyOf: _, oneOf: __, ...rest } = schema;
  if (Array.isArray(given) && given.length > 0) {
    const all = given.map((choice: Json) => objectOf(choice) ?? {});
    const choices = all.filter((choice) => choice["type"] !== "null");
    return {
      choices: choices.map((choice) => both(rest, choice)),
      isNullable: choices.length < all.length,
    };
  }
  const type = schema["type"];
  if (!Array.isArray(type)) return { choices: [rest], isNullable: schema["nullable"] === true };
  const types = type.filter((one: Json) => one !== "null");
  return {
    choices: types.map((one: Json) => ({ ...rest, type: one })),
    isNullable: types.length < type.length,
  };
}

const isFolded = (schema: JsonObject): boolean =>
  ["$ref", "allOf", "anyOf", "oneOf"].some((key) => schema[key] !== undefined) ||
  Array.isArray(schema["type"]);

function node(
  schema: JsonObject,
  how: {
    readonly isNullable: boolean;
    readonly write: (child: Json | undefined) => JsonObject;
  },
): JsonObject {
  const type = typeOf(schema);
  const values = valuesOf(schema);
  const isNullable = how.isNullable || values.includes(null);
  return {
    type,
    ...taken(schema, always),
    ...(isNullable ? { nullable: true } : {}),
    ...(type === "string" ? choiceOfTexts(values) : {}),
    ...taken(schema, wordsOf[type] ?? {}),
    ...(type === "array" ? { items: how.write(itemsOf(schema)) } : {}),
    ...(type === "object" ? propertiesOf(schema, how.write) : {}),
  };
}

/** Every node has a type there. One that says none is what its other words show, else text. */
function typeOf(schema: JsonObject): string {
  const type = schema["type"];
  if (typeof type === "string" && Object.hasOwn(wordsOf, type)) return type;
  if (schema["properties"] !== undefined) return "object";
  if (schema["items"] !== undefined) return "array";
  const value = valuesOf(schema).find((one) => one !== null);
  return typeof value === "number" || typeof value === "boolean" ? typeof value : "string";
}

const valuesOf = (schema: JsonObject): readonly Json[] =>
  schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]];

function choiceOfTexts(values: readonly Json[]): JsonObject {
  const texts = values.filter((value) => typeof value === "string" && value !== "");
  return texts.length === 0 ? {} : { enum: texts };
}

function taken(schema: JsonObject, words: Readonly<Record<string, Take>>): JsonObject {
  const found = Object.entries(words).flatMap(([word, isRight]) => {
    const value = schema[word];
    return value !== undefined && isRight(value) ? [[word, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The API knows one schema for all items: of a list of them the first. */
function itemsOf(schema: JsonObject): Json | undefined {
  const items = schema["items"] ?? schema["prefixItems"];
  return Array.isArray(items) ? items[0] : items;
}

function propertiesOf(schema: JsonObject, write: (child: Json) => JsonObject): JsonObject {
  const entries = Object.entries(objectOf(schema["properties"]) ?? {});
  if (entries.length === 0) return {};
  const names = entries.map(([name]) => name);
  const required = listOf(schema["required"]).filter(
    (name, index, all) =>
      typeof name === "string" && names.includes(name) && all.indexOf(name) === index,
  );
  return {
    properties: Object.fromEntries(entries.map(([name, child]) => [name, write(child)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
