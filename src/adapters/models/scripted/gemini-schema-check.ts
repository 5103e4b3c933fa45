import type { Json, JsonObject } from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";
import { unknownNames } from "./unknown-names.ts";

/** Source: `Schema`, Gemini API reference. */
const words = [
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "propertyOrdering",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "anyOf",
];

const formats: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/** What the Gemini API would refuse about a schema. */
export function schemaProblems(json: Json, at: string): readonly string[] {
  const schema = objectOf(json);
  if (schema === null) return [`${at}: must be a schema`];
  return [...unknownNames(schema, words), ...choiceProblems(schema, at)];
}

function choiceProblems(schema: JsonObject, at: string): readonly string[] {
  const choices = schema["anyOf"];
  if (choices === undefined) return nodeProblems(schema, at);
  if (!Array.isArray(choices) || choices.length === 0) return [`${at}.any_of: must not be empty`];
  return [
    ...(Object.keys(schema).length > 1
      ? [`${at}: When using any_of, it must be the only field set.`]
      : []),
    ...choices.flatMap((choice: Json, index) => schemaProblems(choice, `${at}.any_of[${index}]`)),
  ];
}

function nodeProblems(schema: JsonObject, at: string): readonly string[] {
  const type = (stringOf(schema["type"]) ?? "").toLowerCase();
  switch (type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
      return valueProblems(schema, { at, type });
    case "array":
      return schema["items"] === undefined
        ? [`${at}.items: missing field.`]
        : schemaProblems(schema["items"], `${at}.items`);
    case "object":
      return objectProblems(schema, at);
    default:
      return [`${at}.type: must be specified`];
  }
}

function valueProblems(
  schema: JsonObject,
  { at, type }: { readonly at: string; readonly type: string },
): readonly string[] {
  const { format } = schema;
  const values = schema["enum"];
  const isTexts =
    Array.isArray(values) && values.every((value) => typeof value === "string" && value !== "");
  return [
    ...(format === undefined || formats[type]?.includes(stringOf(format) ?? "") === true
      ? []
      : [`${at}.format: only 'enum' and 'date-time' are supported for STRING type`]),
    ...(values === undefined || (type === "string" && isTexts)
      ? []
      : [`${at}.enum: only allowed for STRING type`]),
  ];
}

function objectProblems(schema: JsonObject, at: string): readonly string[] {
  const properties = objectOf(schema["properties"]) ?? {};
  const required = schema["required"];
  return [
    ...Object.entries(properties).flatMap(([name, child]) =>
      schemaProblems(child, `${at}.properties[${name}]`),
    ),
    ...(schema["properties"] !== undefined && Object.keys(properties).length === 0
      ? [`${at}.properties: should be non-empty for OBJECT type`]
      : []),
    ...(Array.isArray(required) ? required : [])
      .map((name: Json) => stringOf(name) ?? "")
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => `${at}.required[${name}]: property is not defined`),
  ];
}
