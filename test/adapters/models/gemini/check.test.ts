import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#core";
import { geminiRequestProblems } from "#testing";

const user = (...parts: readonly JsonObject[]): JsonObject => ({ role: "user", parts });
const model = (...parts: readonly JsonObject[]): JsonObject => ({ role: "model", parts });
const hi = { text: "Hi." };
const call = (name: string, more: JsonObject = {}): JsonObject => ({
  functionCall: { name, args: {} },
  ...more,
});
const response = (name: string): JsonObject => ({
  functionResponse: { name, response: { output: "ok" } },
});
const good: JsonObject = { contents: [user(hi)], generationConfig: { maxOutputTokens: 1 } };
const declaring = (...functionDeclarations: readonly JsonObject[]): JsonObject => ({
  ...good,
  tools: [{ functionDeclarations }],
});
const taking = (x: JsonObject): JsonObject =>
  declaring({ name: "t", parameters: { type: "object", properties: { x } } });

test("a good request has no problems", () => {
  const signed = call("read", { thoughtSignature: "c2lnbg==" });
  const contents = [
    user(hi),
    model(hi, signed, call("grep")),
    user(response("read"), response("grep"), hi),
  ];
  assert.deepEqual(geminiRequestProblems({ ...good, contents }, { model: "gemini-3-pro" }), []);
});

for (const [body, says] of [
  [null, /Invalid JSON/],
  [{ ...good, model: "gemini-x" }, /Unknown name "model"/],
  [{ ...good, systemInstruction: { parts: [{ text: " " }] } }, /systemInstruction/],
  [{ ...good, contents: [user({ text: "cut \ud83d" })] }, /Surrogate/],
  [{ ...good, toolConfig: { functionCallingConfig: { mode: "NONE" } } }, /without function_decl/],
  [{ ...good, toolConfig: { functionCallingConfig: { mode: "none" } } }, /Invalid value at/],
  [{ ...good, generationConfig: { maxOutputTokens: 0 } }, /positive/],
  [{ ...good, generationConfig: { maxTokens: 9 } }, /Unknown name "maxTokens"/],
  [declaring(), /must not be empty/],
  [declaring({ name: "a" }, { name: "a" }), /Duplicate/],
  [declaring({ name: "1st" }), /Invalid function name/],
  [declaring({ name: "a", inputSchema: {} }), /Unknown name "inputSchema"/],
  [declaring({ name: "a", parameters: { type: "object" } }), /non-empty for OBJECT/],
  [taking({}), /type: must be specified/],
  [taking({ type: "string", default: "a" }), /Unknown name "default"/],
  [taking({ type: "string", format: "uri" }), /format/],
  [taking({ type: "integer", enum: ["1"] }), /only allowed for STRING/],
  [taking({ type: "string", enum: [""] }), /enum/],
  [taking({ type: "array" }), /items: missing field/],
  [taking({ type: "array", items: { type: "any" } }), /items.type/],
  [taking({ type: "object", properties: {} }), /non-empty for OBJECT/],
  [taking({ type: "object", required: ["a"] }), /property is not defined/],
  [taking({ type: "string", anyOf: [{ type: "string" }] }), /only field set/],
  [taking({ anyOf: [] }), /must not be empty/],
] as const) {
  test(`a request is refused: ${says.source}`, () => {
    assert.match(geminiRequestProblems(body).join(" "), says);
  });
}

const asks = [user(hi), model(call("a"), call("b"))];
for (const [name, contents, says] of [
  ["nothing", [], /not specified/],
  ["a role nobody has", [{ role: "assistant", parts: [hi] }], /valid role/],
  ["a model that begins", [model(hi), user(hi)], /start with a user/],
  ["a model that speaks last", [user(hi), model(hi)], /end with a user/],
  ["two of one side", [user(hi), user(hi)], /alternate/],
  ["no parts", [user()], /parts: must not be empty/],
  ["an empty text", [user({ text: " " })], /text: must not be empty/],
  ["a part of two kinds", [user({ ...hi, inlineData: {} })], /oneof/],
  ["a part of no kind", [user({ thought: true })], /oneof/],
  ["a field nobody knows", [user({ ...hi, citations: [] })], /Unknown name "citations"/],
  ["an image that is none", [user({ inlineData: { mimeType: "image/bmp", data: "" } })], /image/],
  ["a call of the user", [user(call("a"))], /function_call/],
  ["a response of the model", [user(hi), model(response("a")), user(hi)], /function_response/],
  ["too few responses", [...asks, user(response("a"))], /number of function response parts/],
  ["another order", [...asks, user(response("b"), response("a"))], /another order/],
  ["a response behind a text", [...asks, user(response("a"), hi, response("b"))], /come before/],
  ["a response without a call", [user(hi, response("a"))], /immediately after/],
  ["a signature of the user", [user({ ...hi, thoughtSignature: "eA==" })], /signature/],
  ["no base64", [user(hi), model({ ...hi, thoughtSignature: "é" }), user(hi)], /not valid/],
] as const) {
  test(`a conversation is refused for ${name}`, () => {
    assert.match(geminiRequestProblems({ ...good, contents }).join(" "), says);
  });
}

test("a call without a signature is refused from Gemini 3 on", () => {
  const contents = [...asks, user(response("a"), response("b"))];
  const problems = (name: string): readonly string[] =>
    geminiRequestProblems({ ...good, contents }, { model: name });
  assert.match(problems("gemini-3-pro").join(), /missing a thought_signature/);
  assert.deepEqual(problems("gemini-2.5-pro"), []);
});
