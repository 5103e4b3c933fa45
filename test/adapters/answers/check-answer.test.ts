import assert from "node:assert/strict";
import { test } from "node:test";

import { checkAnswer } from "#adapters/answers";

const schema = JSON.stringify({
  type: "object",
  properties: {
    name: { type: "string" },
    count: { type: "integer", minimum: 1 },
    files: { type: "array", items: { $ref: "#/$defs/file" } },
  },
  required: ["name", "count"],
  additionalProperties: false,
  $defs: {
    file: { type: "object", properties: { kind: { enum: ["a", "b"] } }, required: ["kind"] },
  },
});

for (const [title, answer, problem] of [
  ["an answer that fits has no problem", '{"name":"x","count":1,"files":[{"kind":"b"}]}', null],
  ["a code fence around it does not matter", '```json\n{"name":"x","count":1}\n```', null],
  ["words are no JSON", "It is done.", /^it is not JSON/],
  ["the whole may be wrong", "[]", /^the answer: Instance type "array" is invalid/],
  [
    "every part that does not fit is named by its place",
    '{"name":7,"count":0,"files":[{"kind":"c"},{}],"more":1}',
    /^\/name: .*"number".* \/count: 0 is less than 1\. \/files\/0\/kind: .* \/files\/1: .*"kind"\. \/more: This is not allowed here\.$/,
  ],
] as const) {
  test(title, async () => {
    const found = await checkAnswer(answer, schema);
    if (problem === null) assert.equal(found, null);
    else assert.match(found ?? "", problem);
  });
}

test("what a model is told stays short, however much is wrong", async () => {
  const list = JSON.stringify({ type: "array", items: { enum: ["x".repeat(100)] } });
  const problem = await checkAnswer(JSON.stringify(Array(5000).fill(1)), list);
  assert.ok(problem !== null && problem.length < 2000);
  assert.match(problem, /\(and 4992 more\)$/);
});

for (const [title, said, fits] of [
  ["draft-07: a list of schemas in items", "http://json-schema.org/draft-07/schema#", [1, "a"]],
  ["2019-09: a list of schemas in items", "https://json-schema.org/draft/2019-09/schema", [1, "a"]],
] as const) {
  test(title, async () => {
    const tuple = JSON.stringify({
      $schema: said,
      items: [{ type: "number" }, { type: "string" }],
    });
    assert.equal(await checkAnswer(JSON.stringify(fits), tuple), null);
    assert.match((await checkAnswer('["a"]', tuple)) ?? "", /\/0/);
  });
}

test("a pattern that would take for ever is given up", async () => {
  const hostile = JSON.stringify({ type: "string", pattern: "^(a+)+$" });
  const problem = await checkAnswer(JSON.stringify(`${"a".repeat(60)}!`), hostile);
  assert.match(problem ?? "", /takes too long/);
});

test("a schema that cannot be used, from a journal of elsewhere, is a problem and no fault", async () => {
  assert.match((await checkAnswer("1", "no schema")) ?? "", /cannot be held against the schema/);
  assert.match(
    (await checkAnswer("1", '{"$ref":"#/no"}')) ?? "",
    /cannot be held against the schema/,
  );
});
