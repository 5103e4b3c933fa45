import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#core";
import { responsesRequestProblems } from "#testing";

const hi = { type: "message", role: "user", content: [{ type: "input_text", text: "Hi." }] };
const call = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "function_call",
  call_id: id,
  name: "read",
  arguments: "{}",
  ...more,
});
const output = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "function_call_output",
  call_id: id,
  output: "ok",
  ...more,
});
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
const said = { type: "message", role: "assistant", content: "Hi." };
const good: JsonObject = { model: "m", input: [hi], store: false, stream: true };
const tool = { type: "function", name: "read", parameters: { type: "object" }, strict: false };

test("a good request has no problems", () => {
  const input = [hi, thought, said, call("a"), call("b"), output("a"), output("b"), hi];
  const body = { ...good, input, tools: [tool], tool_choice: "none", max_output_tokens: 16 };
  assert.deepEqual(responsesRequestProblems(body), []);
});

for (const [body, says] of [
  [null, /could not parse/],
  [{ ...good, model: "" }, /'model'/],
  [{ ...good, temprature: 1 }, /Unknown parameter: 'temprature'/],
  [{ ...good, store: true }, /'store'/],
  [{ ...good, stream: false }, /'stream'/],
  [{ ...good, include: ["all"] }, /'all'/],
  [{ ...good, max_output_tokens: 15 }, />= 16/],
  [{ ...good, instructions: " " }, /'instructions'/],
  [{ ...good, instructions: "cut \ud83d" }, /surrogate/],
  [{ ...good, tool_choice: "auto" }, /only allowed when 'tools'/],
  [{ ...good, tools: [] }, /empty array/],
  [{ ...good, tools: [tool, tool] }, /unique/],
  [{ ...good, tools: [tool], tool_choice: "never" }, /'tool_choice'/],
  [{ ...good, tools: [{ ...tool, type: "tool" }] }, /tools\[0\].type/],
  [{ ...good, tools: [{ ...tool, name: "a b" }] }, /tools\[0\].name/],
  [{ ...good, tools: [{ ...tool, parameters: {} }] }, /must be a JSON Schema of/],
  [{ ...good, tools: [{ ...tool, parameters: { type: "object", anyOf: [] } }] }, /top level/],
  [{ ...good, tools: [{ ...tool, strict: null }] }, /strict/],
] as const) {
  test(`a request is refused: ${says.source}`, () => {
    assert.match(responsesRequestProblems(body).join(" "), says);
  });
}

for (const [name, input, says] of [
  ["nothing", [], /'input'/],
  ["an item without a type", [{}], /input\[0\].type/],
  ["a call without its result", [hi, call("a")], /No tool output found for function call a/],
  ["a call answered too late", [hi, call("a"), hi, output("a")], /No tool output found/],
  ["a result without its call", [hi, output("a")], /No tool call found/],
  ["two results", [call("a"), output("a"), output("a")], /No tool call found/],
  ["another order", [call("a"), call("b"), output("b"), output("a")], /No tool call found/],
  ["a second call before the first is answered", [call("a"), call("b"), output("a"), said], /b\./],
  ["a result of another kind", [call("a"), output("a", { type: "custom_tool_call_output" })], /No/],
  ["one id for two calls", [call("a"), call("a"), output("a"), output("a")], /Duplicate item/],
  [
    "one id for two items",
    [
      { ...said, id: "msg_1" },
      { ...said, id: "msg_1" },
    ],
    /Duplicate item/,
  ],
  ["arguments that are no JSON", [call("a", { arguments: "{" }), output("a")], /arguments/],
  ["a call id too long", [call("a".repeat(65)), output("a".repeat(65))], /maximum length 64/],
  ["a name with a blank", [call("a", { name: "a b" }), output("a")], /input\[0\].name/],
  ["an id of another kind", [call("a", { id: "msg_1" }), output("a")], /begins with 'fc'/],
  ["an id too long", [{ ...said, id: `msg_${"x".repeat(70)}` }], /too long/],
  ["an empty result", [call("a"), output("a", { output: "" })], /output/],
  ["an empty message", [{ ...hi, content: [] }], /empty/],
  ["an empty text", [{ ...hi, content: [{ type: "input_text", text: " " }] }], /empty text/],
  ["an image from elsewhere", [{ ...hi, content: [{ type: "input_image" }] }], /image_url/],
  ["a part of the other side", [{ ...hi, content: [{ type: "output_text" }] }], /'output_text'/],
  ["a role nobody has", [{ ...hi, role: "robot" }], /role/],
  [
    "an answer without its id",
    [{ ...said, content: [{ type: "refusal", refusal: "" }] }],
    /'.*id'/,
  ],
  ["a thought alone", [hi, thought, hi], /without its required following item/],
  ["a thought at the end", [hi, thought], /without its required following item/],
  ["a thought nobody can read", [{ ...thought, encrypted_content: null }, said], /not persisted/],
] as const) {
  test(`a conversation is refused for ${name}`, () => {
    assert.match(responsesRequestProblems({ ...good, input }).join(" "), says);
  });
}
