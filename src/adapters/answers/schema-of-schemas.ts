import type { JsonObject } from "#core";

const schema: JsonObject = { $ref: "#/$defs/schema" };
const schemas: JsonObject = { type: "array", minItems: 1, items: schema };
const named: JsonObject = { type: "object", additionalProperties: schema };
const count: JsonObject = { type: "integer", minimum: 0 };
const text: JsonObject = { type: "string" };
const texts: JsonObject = { type: "array", items: text };
const number: JsonObject = { type: "number" };
const flag: JsonObject = { type: "boolean" };
const types: JsonObject = {
  enum: ["array", "boolean", "integer", "null", "number", "object", "string"],
};

const conditional = Object.fromEntries(["if", "then", "else"].map((name) => [name, schema]));

/**
 * What each keyword of JSON Schema may hold, from draft 4 to 2020-12; unknown keywords say nothing. Sources: the
 * meta-schemas of json-schema.org, 2026-11.
 */
export const schemaOfSchemas: JsonObject = {
  ...schema,
  $defs: {
    schema: {
      type: ["object", "boolean"],
      properties: {
        ...conditional,
        type: { anyOf: [types, { type: "array", minItems: 1, items: types }] },
        enum: { type: "array" },
        $ref: text,
        $id: text,
        $anchor: text,
        $schema: text,
        $defs: named,
        definitions: named,
        properties: named,
        patternProperties: named,
        dependentSchemas: named,
        propertyNames: schema,
        additionalProperties: schema,
        unevaluatedProperties: schema,
        required: { anyOf: [texts, flag] },
        dependentRequired: { type: "object", additionalProperties: texts },
        dependencies: { type: "object", additionalProperties: { anyOf: [texts, schema] } },
        minProperties: count,
        maxProperties: count,
        items: { anyOf: [schema, { type: "array", items: schema }] },
        prefixItems: schemas,
        additionalItems: schema,
        unevaluatedItems: schema,
        contains: schema,
        minContains: count,
        maxContains: count,
        minItems: count,
        maxItems: count,
        uniqueItems: flag,
        allOf: schemas,
        anyOf: schemas,
        oneOf: schemas,
        not: schema,
        minimum: number,
        maximum: number,
        exclusiveMinimum: { type: ["number", "boolean"] },
        exclusiveMaximum: { type: ["number", "boolean"] },
        multipleOf: { type: "number", exclusiveMinimum: 0 },
        minLength: count,
        maxLength: count,
        pattern: text,
        format: text,
      },
    },
  },
};
