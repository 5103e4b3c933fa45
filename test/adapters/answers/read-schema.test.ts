import assert from "node:assert/strict";
import { test } from "node:test";

import type { Json } from "#core";
import { readSchema, type SchemaProblem } from "#adapters/answers";

const problemOf = async (schema: Json): Promise<SchemaProblem | null> => {
  const read = await readSchema(JSON.stringify(schema));
  return "problem" in read ? read.problem : null;
};

const deep = (levels: number): Json =>
  levels === 0 ? { type: "null" } : { type: "array", items: deep(levels - 1) };

/** Each level asks twice for the next one: 2^levels questions. */
const doubling = (levels: number): Json => ({
  $ref: "#/$defs/0",
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, level) => {
      const next = { $ref: `#/$defs/${level + 1}` };
      return [String(level), level === levels - 1 ? { type: "null" } : { allOf: [next, next] }];
    }),
  ),
});

for (const [title, schema] of [
  ["an object with nothing in it", {}],
  ["a usual one", { type: "object", properties: { a: { type: ["string", "null"] } } }],
  ["one that refers to itself inside a part", { properties: { next: { $ref: "#" } } }],
  [
    "one that refers to its own id",
    { $id: "https://x.test/s", items: { $ref: "https://x.test/s" } },
  ],
  [
    "one with an anchor",
    { $defs: { a: { $anchor: "here", type: "null" } }, items: { $ref: "#here" } },
  ],
  ["one of draft-04", { type: "number", minimum: 1, exclusiveMinimum: true }],
  ["one whose values look like schemas", { enum: [{ $ref: "nowhere" }], default: { type: 7 } }],
  ["one with keywords nobody knows", { "x-order": ["a"], title: "t" }],
] as const) {
  test(`a schema is taken: ${title}`, async () => {
    assert.deepEqual(await readSchema(JSON.stringify(schema, null, 2)), {
      schema: JSON.stringify(schema),
    });
  });
}

for (const [title, schema, problem] of [
  ["a list", [], { at: "not_an_object" }],
  ["true", true, { at: "not_an_object" }],
  [
    "a type nobody knows",
    { properties: { a: { type: "strng" } } },
    {
      at: "no_schema",
      place: "#/properties/a/type",
      detail:
        'Instance does not match any of ["array","boolean","integer","null","number","object","string"].',
    },
  ],
  [
    "properties that are a list",
    { properties: [] },
    {
      at: "no_schema",
      place: "#/properties",
      detail: 'Instance type "array" is invalid. Expected "object".',
    },
  ],
  [
    "a pattern that is none",
    { items: { pattern: "(" } },
    {
      at: "no_schema",
      place: "#/items",
      detail: "Invalid regular expression: /(/u: Unterminated group",
    },
  ],
  [
    "another address",
    { properties: { a: { $ref: "https://x.test/s.json" } } },
    { at: "no_such_reference", reference: "https://x.test/s.json" },
  ],
  [
    "another file",
    { items: { $ref: "other.json#/a" } },
    { at: "no_such_reference", reference: "other.json#/a" },
  ],
  [
    "a reference that leads nowhere",
    { items: { $ref: "#/$defs/no" } },
    { at: "no_such_reference", reference: "#/$defs/no" },
  ],
  ["one that is itself", { $ref: "#" }, { at: "endless" }],
  ["one that contains itself", { allOf: [{ $ref: "#" }] }, { at: "endless" }],
  [
    "two parts that are each other",
    { properties: { a: { $ref: "#/properties/b" }, b: { $ref: "#/properties/a" } } },
    { at: "endless" },
  ],
  ["one that doubles and doubles", doubling(40), { at: "endless" }],
  ["one that is nested too deeply", deep(100), { at: "too_deep", most: 64 }],
  ["a huge one", { title: "x".repeat(300_000) }, { at: "too_large", most: 262_144 }],
] as const) {
  test(`a schema is refused before anything begins: ${title}`, async () => {
    assert.deepEqual(await problemOf(schema), problem);
  });
}

test("what is not JSON is no schema", async () => {
  const read = await readSchema("{ no");
  assert.equal("problem" in read && read.problem.at, "not_json");
});
