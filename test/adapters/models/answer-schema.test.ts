import assert from "node:assert/strict";
import { test } from "node:test";

import type { JsonObject } from "#core";
import { modelClients } from "#adapters/models";
import { fakeClock, startScriptedServer } from "#testing";
import { strictSchema } from "../../../src/adapters/models/shared/strict-schema.ts";
import { ask, request } from "./asking.ts";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    name: { type: ["string", "null"], description: "who" },
    list: {
      type: "array",
      items: { anyOf: [{ type: "integer" }, { enum: ["a"], type: "string" }] },
    },
  },
  required: ["name", "list"],
  additionalProperties: false,
} as const;
const { $schema: _, ...sent } = schema;

const format = { type: "json_schema", schema: sent };

for (const [ref, field, value] of [
  ["anthropic/claude-opus-4-5", "output_config", { format }],
  ["anthropic/claude-3-7-sonnet", "output_config", undefined],
  [
    "openai/gpt-6.1-sol",
    "text",
    { format: { type: "json_schema", name: "answer", schema: sent, strict: true } },
  ],
  ["openai/gpt-4-turbo", "text", undefined],
  ["deepseek/deepseek-v4-pro", "response_format", undefined],
] as const) {
  test(`${ref} is ${value === undefined ? "asked by the prompt alone" : "held to the schema beside its tools"}`, async () => {
    assert.deepEqual((await bodyOf(ref))[field], value);
  });
}

test("Gemini is held to a schema from 3 on: before, it refuses that beside tools", async () => {
  const config = async (ref: string): Promise<JsonObject> =>
    (await bodyOf(ref))["generationConfig"] as JsonObject;
  const { responseMimeType, responseJsonSchema } = await config("gemini/gemini-3.8-flash");
  assert.deepEqual([responseMimeType, responseJsonSchema], ["application/json", sent]);
  assert.equal((await config("gemini/gemini-2.5-pro"))["responseMimeType"], undefined);
});

async function bodyOf(ref: string): Promise<JsonObject> {
  await using server = await startScriptedServer({ turns: [] });
  const provider = ref.slice(0, ref.indexOf("/"));
  const providers = { [provider]: { apiKey: "k", baseUrl: server.url } };
  const client = modelClients({ providers, cwd: "/", clock: fakeClock() })(ref);
  await ask(client, { request: { ...request, model: ref, answerSchema: schema } });
  const [seen] = server.requests;
  assert.deepEqual(seen?.problems, []);
  return seen?.body ?? {};
}

const object = { type: "object", properties: {}, required: [], additionalProperties: false };

for (const [title, loose] of [
  ["an open object", { ...object, additionalProperties: true }],
  ["a property that may be missing", { ...object, properties: { a: { type: "null" } } }],
  ["a limit", { ...object, properties: { a: { type: "string", maxLength: 3 } }, required: ["a"] }],
  ["a reference", { ...object, properties: { a: { $ref: "#" } }, required: ["a"] }],
  ["a list", { type: "array", items: { type: "string" } }],
  ["a part without a type", { ...object, properties: { a: {} }, required: ["a"] }],
] as const) {
  test(`what not every provider understands is left to the prompt: ${title}`, () => {
    assert.equal(strictSchema({ ...request, answerSchema: loose }, "beside_tools"), null);
  });
}

test("half characters of a schema are repaired [W05]", () => {
  const answerSchema = { ...object, title: "a\ud83d" };
  assert.equal(strictSchema({ ...request, answerSchema }, "beside_tools")?.["title"], "a\ufffd");
});
