import assert from "node:assert/strict";
import { test } from "node:test";
import { chatRequestProblems } from "#testing";

type Loose = Record<string, unknown>;

const tool = {
  type: "function",
  function: { name: "read", description: "Reads.", parameters: { type: "object" } },
};
const call = (id: string, args = "{}"): Loose => ({
  id,
  type: "function",
  function: { name: "read", arguments: args },
});
const reply = (...calls: readonly Loose[]): Loose => ({
  role: "assistant",
  content: null,
  tool_calls: calls,
});
const user = (content: unknown = "Go."): Loose => ({ role: "user", content });
const result = (id: string, content: unknown = "ok"): Loose => ({
  role: "tool",
  tool_call_id: id,
  content,
});
const body = (more: Loose = {}): Loose => ({
  model: "m",
  messages: [user()],
  tools: [tool],
  max_tokens: 10,
  stream: true,
  stream_options: { include_usage: true },
  ...more,
});
const talk = (...messages: readonly Loose[]): Loose => body({ messages });
const image = (url: string): Loose => ({ type: "image_url", image_url: { url } });

test("a good request has no problems", () => {
  const good = talk(
    { role: "developer", content: "You are Pawl." },
    user([{ type: "text", text: "Look." }, image("data:image/png;base64,aGk=")]),
    { ...reply(call("a"), call("b")), reasoning_content: "" },
    result("a"),
    result("b", [{ type: "text", text: "ok" }]),
    { role: "assistant", content: "Done." },
    user(),
  );
  assert.deepEqual(chatRequestProblems(good), []);
  assert.deepEqual(chatRequestProblems({ ...good, tool_choice: "none" }), []);
});

for (const [title, wrong, says] of [
  ["no object", [], /could not parse/],
  ["half a character", talk(user("cut \ud83d")), /surrogate/],
  ["an unknown field", body({ thoughts: {} }), /Unrecognized request argument supplied: thoughts/],
  ["no model", body({ model: "" }), /must provide a model/],
  ["no stream", body({ stream: false }), /only streams/],
  ["odd stream options", body({ stream_options: {} }), /include_usage/],
  ["no room for an answer", body({ max_tokens: 0 }), /integer below minimum/],
  ["both limits", body({ max_completion_tokens: 10 }), /at the same time/],
  ["an empty tool list", body({ tools: [] }), /Invalid 'tools': empty array/],
  ["a choice without tools", body({ tools: undefined, tool_choice: "none" }), /only allowed when/],
  ["a choice nobody knows", body({ tool_choice: "some" }), /Invalid value for 'tool_choice'/],
  ["a tool of no type", body({ tools: [{ name: "read" }] }), /tools\[0\]\.type/],
  ["the same tool twice", body({ tools: [tool, tool] }), /unique/],
  [
    "a name with a space",
    body({ tools: [{ ...tool, function: { ...tool.function, name: "a b" } }] }),
    /does not match pattern/,
  ],
  [
    "a schema that is no object's",
    body({ tools: [{ ...tool, function: { ...tool.function, parameters: {} } }] }),
    /Invalid schema/,
  ],
  ["no messages", talk(), /empty array/],
  ["an unknown role", talk({ role: "function", content: "x" }), /Invalid value for 'messages\[0\]/],
  ["a field of another wire", talk({ ...user(), is_error: true }), /Additional properties/],
  ["blank text", talk(user("  ")), /must not be empty/],
  ["blank text in a part", talk(user([{ type: "text", text: " " }])), /must not be empty/],
  ["a part of another wire", talk(user([{ type: "image" }])), /Supported values/],
  ["an image of no format", talk(user([image("data:image/tiff;base64,aGk=")])), /not an image/],
  [
    "an image in a result",
    talk(user(), reply(call("a")), result("a", [image("data:image/png;base64,aGk=")])),
    /Supported values/,
  ],
  [
    "a reply that says nothing",
    talk(user(), { role: "assistant", content: null }, user()),
    /must have/,
  ],
  ["an empty list of calls", talk(user(), reply(), user()), /tool_calls': empty/],
  ["arguments that are no JSON", talk(user(), reply(call("a", "{'")), result("a")), /arguments/],
  ["arguments that are a list", talk(user(), reply(call("a", "[]")), result("a")), /arguments/],
  ["an id with a space", talk(user(), reply(call("a b")), result("a b")), /Invalid '.*\.id'/],
  [
    "a call without its result",
    talk(user(), reply(call("a"), call("b")), result("a")),
    /did not have/,
  ],
  ["a word before the result", talk(user(), reply(call("a")), user(), result("a")), /did not have/],
  [
    "results in another order",
    talk(user(), reply(call("a"), call("b")), result("b"), result("a")),
    /another order/,
  ],
  ["a result twice", talk(user(), reply(call("a")), result("a"), result("a")), /twice/],
  ["a result of no call", talk(user(), result("a")), /must be a response/],
  ["an empty result", talk(user(), reply(call("a")), result("a", "")), /must not be empty/],
  [
    "the same id in two replies",
    talk(user(), reply(call("a")), result("a"), reply(call("a")), result("a")),
    /unique/,
  ],
  ["a reply first", talk({ role: "assistant", content: "Hi." }, user()), /first message/],
  ["two users in a row", talk(user(), user()), /must alternate/],
  ["a system message late", talk(user(), { role: "system", content: "x" }, user()), /come first/],
  ["a reply last", talk(user(), { role: "assistant", content: "Hi." }), /Expected last role/],
] as const) {
  test(`the check of Chat requests finds ${title}`, () => {
    assert.match(chatRequestProblems(wrong).join("\n"), says);
  });
}
