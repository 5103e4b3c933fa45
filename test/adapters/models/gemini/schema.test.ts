import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json, JsonObject } from "#core";
import { builtInTools } from "#adapters/tools";
import { geminiBody, geminiRequestProblems } from "#testing";
import { request } from "../asking.ts";

/** The schema of a tool as it is sent; null when none is. */
function sent(inputSchema: JsonObject): JsonObject | null {
  const body = JSON.parse(
    geminiBody({ ...request, tools: [{ name: "t", description: "T.", inputSchema }] }),
  ) as { tools: { functionDeclarations: { parameters?: JsonObject }[] }[] };
  assert.deepEqual(geminiRequestProblems(body), []);
  return body.tools[0]?.functionDeclarations[0]?.parameters ?? null;
}

/** One property of a tool as it is sent. */
function property(schema: Json, defs: JsonObject = {}): unknown {
  const root = sent({ type: "object", properties: { x: schema }, $defs: defs });
  return (root?.["properties"] as JsonObject | undefined)?.["x"];
}

for (const [name, given, expected] of [
  [
    "words the API does not know are dropped",
    {
      $id: "i",
      type: "string",
      description: "D",
      default: "a",
      examples: ["a"],
      minLength: 1,
      format: "uri",
      contentEncoding: "base64",
      $comment: "c",
      deprecated: true,
    },
    { type: "string", description: "D", minLength: 1 },
  ],
  [
    "bounds and formats stay where the API knows them",
    {
      type: "integer",
      minimum: 1,
      maximum: 9,
      exclusiveMinimum: 0,
      multipleOf: 2,
      format: "int32",
    },
    { type: "integer", format: "int32", minimum: 1, maximum: 9 },
  ],
  [
    "a choice of texts stays, one of numbers does not, nor an empty text",
    { enum: ["a", "", "b"] },
    { type: "string", enum: ["a", "b"] },
  ],
  ["a choice of numbers is a number", { enum: [1, 2] }, { type: "number" }],
  ["one value is a choice of one", { const: "a" }, { type: "string", enum: ["a"] }],
  ["null is a word of its own", { type: ["string", "null"] }, { type: "string", nullable: true }],
  [
    "null among the choices as well",
    { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }], description: "D" },
    { type: "integer", description: "D", nullable: true, minimum: 0 },
  ],
  [
    "several types are a choice, which stands alone",
    { type: ["string", "number"], description: "D" },
    {
      anyOf: [
        { type: "string", description: "D" },
        { type: "number", description: "D" },
      ],
    },
  ],
  [
    "oneOf is the same",
    { oneOf: [{ type: "string" }, { type: "object", properties: { a: true } }] },
    { anyOf: [{ type: "string" }, { type: "object", properties: { a: { type: "string" } } }] },
  ],
  [
    "allOf is put together",
    {
      allOf: [
        { properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: {} }, required: ["b", "a"] },
      ],
    },
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
    },
  ],
  [
    "only properties that are there can be required",
    { type: "object", properties: { a: {} }, required: ["a", "b", 7], additionalProperties: {} },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  ],
  ["an object of anything has no properties", { type: "object" }, { type: "object" }],
  ["a node without a type is text", {}, { type: "string" }],
  ["so is one that is no schema", true, { type: "string" }],
  ["a list says of what", { type: "array" }, { type: "array", items: { type: "string" } }],
  [
    "of a list of schemas the first counts",
    { items: [{ type: "number" }, { type: "string" }], maxItems: 2, uniqueItems: true },
    { type: "array", maxItems: 2, items: { type: "number" } },
  ],
  [
    "a reference is followed",
    { $ref: "#/$defs/a~1b", description: "D" },
    { type: "string", description: "D" },
  ],
  ["one that leads nowhere is any object", { $ref: "#/$defs/none" }, { type: "object" }],
  ["and so is one to elsewhere", { $ref: "https://example.com/x.json" }, { type: "object" }],
] as const) {
  test(`${name} [W11]`, () => {
    assert.deepEqual(property(given, { "a/b": { type: "string" } }), expected);
  });
}

test("a schema that names itself ends where it begins again", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
  assert.deepEqual(property({ $ref: "#/$defs/node" }, { node }), {
    type: "object",
    properties: { next: { type: "object" } },
  });
});

test("a schema that unfolds without end is bounded", () => {
  const defs: Record<string, JsonObject> = { d0: { type: "string" } };
  for (let level = 1; level <= 40; level += 1) {
    const child = { $ref: `#/$defs/d${level - 1}` };
    defs[`d${level}`] = { type: "object", properties: { a: child, b: child, c: child } };
  }
  let deep: JsonObject = { type: "string" };
  for (let level = 0; level < 150; level += 1) deep = { type: "array", items: deep };
  const startMs = performance.now();
  const json = JSON.stringify([property({ $ref: "#/$defs/d40" }, defs), property(deep)]);
  assert.ok(json.length < 200_000, `${json.length}`);
  assert.ok(performance.now() - startMs < 500);
});

test("a tool without arguments has no schema at all", () => {
  assert.equal(sent({ type: "object", properties: {} }), null);
  assert.equal(sent({}), null);
});

test("the schemas of all our own tools are what the API takes", () => {
  const tools = builtInTools({ crash: () => {}, keepVariables: [] });
  assert.ok(tools.length > 6);
  for (const { inputSchema } of tools) sent(inputSchema);
});

test("any JSON at all becomes a schema the API takes [W11]", () => {
  const keyword = fc.constantFrom(
    "type",
    "properties",
    "items",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "required",
    "$ref",
    "format",
    "minItems",
    "nullable",
    "__proto__",
  );
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<Json>(null, true, 7, "", "string", "object", "array", "null", "#/items", "#"),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(keyword, tie("tree"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (schema) => {
      sent({ type: "object", properties: { x: schema } });
      if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) {
        sent(schema as JsonObject);
      }
    }),
    { numRuns: 500 },
  );
});
