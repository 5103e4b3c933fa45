import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import {
  text,
  type AssistantBlock,
  type AssistantMessage,
  type Json,
  type JsonObject,
  type Message,
  type Opaque,
} from "#core";
import type { ModelRequest } from "#runtime";
import { chatRequestProblems, openAiChatBody } from "#testing";
import { besideMessages, image, readTool, repliesOf, result, use, user } from "../histories.ts";
import { dialectOf, request } from "./chatting.ts";

const assistant = repliesOf(request.model);
type Body = ChatCompletionCreateParamsStreaming;
type Wire = readonly JsonObject[];

function bodyOf(
  messages: readonly Message[],
  more: Partial<ModelRequest> = {},
  provider = "openai-compatible",
): Body {
  const asked = { ...request, model: `${provider}/test`, tools: [readTool], ...more, messages };
  const body = JSON.parse(openAiChatBody(asked, dialectOf(provider))) as Body;
  assert.deepEqual(chatRequestProblems(body), []);
  return body;
}

const messagesOf = (...args: Parameters<typeof bodyOf>): Wire =>
  bodyOf(...args).messages as unknown as Wire;

const toolCalls = (message: JsonObject | undefined): Wire =>
  (message?.["tool_calls"] ?? []) as Wire;

const thinking = (content: string, opaque?: Opaque) =>
  ({ type: "thinking", text: content, ...(opaque === undefined ? {} : { opaque }) }) as const;

test("a whole request, as the provider's own types want it R47", () => {
  const body = bodyOf(
    [
      user(text("Look.")),
      assistant([thinking("Hm."), text("Reading."), use(0), use(1)]),
      user(result(0), result(1, [text("not there")], true)),
    ],
    besideMessages,
  );
  const expected: Body = {
    model: "test",
    tools: [
      {
        type: "function",
        function: { name: "bash", description: "Runs.", parameters: { type: "object" } },
      },
      {
        type: "function",
        function: {
          name: "read",
          description: "Reads.",
          parameters: { type: "object", properties: {} },
        },
      },
    ],
    messages: [
      { role: "system", content: "You are Pawl.\n\nToday." },
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: "Reading.",
        tool_calls: [
          {
            id: "toolu_0",
            type: "function",
            function: { name: "read", arguments: '{"path":"f0"}' },
          },
          {
            id: "toolu_1",
            type: "function",
            function: { name: "read", arguments: '{"path":"f1"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "toolu_0", content: "ok" },
      { role: "tool", tool_call_id: "toolu_1", content: "Error: not there" },
    ],
    max_tokens: 1000,
    tool_choice: "none",
    stream: true,
    stream_options: { include_usage: true },
  };
  assert.deepEqual(body, expected);
});

for (const [provider, expected] of [
  ["openai-compatible", { max_tokens: 1000, stream_options: { include_usage: true } }],
  [
    "azure",
    { max_completion_tokens: 1000, stream_options: { include_usage: true }, role: "developer" },
  ],
  ["groq", { max_completion_tokens: 1000, stream_options: { include_usage: true } }],
  [
    "qwen",
    { max_tokens: 1000, stream_options: { include_usage: true }, parallel_tool_calls: true },
  ],
  ["mistral", { max_tokens: 1000 }],
  ["zai", { max_tokens: 1000 }],
] as const) {
  test(`${provider} is asked in its own dialect [W17]`, () => {
    const system = [{ name: "role", text: "You are Pawl.", stable: true }];
    const { model, messages, tools, stream, ...rest } = bodyOf(
      [user(text("Go."))],
      { system },
      provider,
    );
    const { role = "system", ...limits } = expected as JsonObject;
    assert.deepEqual(rest, limits);
    assert.equal(messages[0]?.role, role);
    assert.deepEqual([model, stream, tools?.length], ["test", true, 1]);
  });
}

test("tool_choice none leaves the list unchanged; a provider that refuses the word is not told", () => {
  const none = bodyOf([user(text("Go."))], { toolChoice: "none" });
  assert.deepEqual([none.tools?.length, none.tool_choice], [1, "none"]);
  const zai = bodyOf([user(text("Go."))], { toolChoice: "none" }, "zai");
  assert.deepEqual([zai.tools?.length, zai.tool_choice], [1, undefined]);
  const qwen = bodyOf([user(text("Go."))], { toolChoice: "none" }, "qwen");
  assert.equal(qwen.parallel_tool_calls, undefined);
});

test("no tools, no `tools`, and nothing that goes with them [W10]", () => {
  const body = bodyOf([user(text("Hi.")), assistant([use(0)]), user(result(0))], {
    tools: [],
    toolChoice: "none",
  });
  assert.ok(!("tools" in body) && !("tool_choice" in body));
});

test("neighbouring user messages are one, results first, in order [S19, W14]", () => {
  assert.deepEqual(
    messagesOf([
      user(text("Go.")),
      assistant([use(0), use(1)]),
      user(text("By the way."), result(0)),
      user(result(1), text("And more.")),
    ]).slice(2),
    [
      { role: "tool", tool_call_id: "toolu_0", content: "ok" },
      { role: "tool", tool_call_id: "toolu_1", content: "ok" },
      { role: "user", content: "By the way.\n\nAnd more." },
    ],
  );
});

test("empty text is left out, and no message is ever empty [W04]", () => {
  const go = { role: "user", content: "Continue." };
  assert.deepEqual(messagesOf([user(text("   "))]), [go]);
  assert.deepEqual(messagesOf([user()]), [go]);
  assert.deepEqual(
    messagesOf([user(text(""), text("Hi.")), assistant([text("\n")]), user(text("Go."))]),
    [{ role: "user", content: "Hi.\n\nGo." }],
  );
  assert.deepEqual(
    messagesOf([user(text("Go.")), assistant([text("\n"), use(0)]), user(result(0, []))]).slice(1),
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "toolu_0",
            type: "function",
            function: { name: "read", arguments: '{"path":"f0"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "toolu_0", content: "(no output)" },
    ],
  );
});

test("texts around a call are one text with a break between them", () => {
  const [, reply] = messagesOf([
    user(text("Go.")),
    assistant([text("One, "), text("two."), use(0), text("Three.")]),
    user(result(0)),
  ]);
  assert.equal(reply?.["content"], "One, two.\n\nThree.");
});

const wireImage = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };

test("images of results move behind them into a user message that says whose they are [W07]", () => {
  assert.deepEqual(
    messagesOf([
      user(text("Go."), image),
      assistant([use(0), use(1)]),
      user(result(0, [text("bad"), image], true), result(1, [image]), text("See.")),
    ]).filter(({ role }) => role !== "assistant"),
    [
      { role: "user", content: [{ type: "text", text: "Go." }, wireImage] },
      { role: "tool", tool_call_id: "toolu_0", content: "Error: bad" },
      { role: "tool", tool_call_id: "toolu_1", content: "(an image, see below)" },
      {
        role: "user",
        content: [
          { type: "text", text: "Image from the result of toolu_0:" },
          wireImage,
          { type: "text", text: "Image from the result of toolu_1:" },
          wireImage,
          { type: "text", text: "See." },
        ],
      },
    ],
  );
});

test("ids of calls: the provider's own where they can be sent and are unique, else ours [P13, W13]", () => {
  const long = `call_1|fc_${"x".repeat(120)}`;
  const messages = messagesOf([
    user(text("Go.")),
    assistant([
      use(0, { wireId: "same" }),
      use(1, { wireId: "same" }),
      use(2, { wireId: null }),
      use(3, { wireId: "no spaces" }),
      use(6, { wireId: "functions.read:0" }),
    ]),
    user(result(0), result(1), result(2), result(3), result(6)),
    assistant([use(4, { wireId: long }), use(5, { wireId: "ok_id" })], { model: "other/x" }),
    user(result(4), result(5)),
  ]);
  const ids = messages.flatMap(({ tool_calls: calls }) =>
    Array.isArray(calls) ? calls.map((call) => (call as JsonObject)["id"]) : [],
  );
  assert.deepEqual(ids, ["same", "r1-1", "r1-2", "r1-3", "functions.read:0", "r1-4", "r1-5"]);
  assert.deepEqual(
    messages.flatMap(({ tool_call_id: id }) => id ?? []),
    ids,
  );
});

test("Mistral gets ids of nine letters, each call its own [W13]", () => {
  const messages = messagesOf(
    [
      user(text("Go.")),
      assistant([use(0, { wireId: "gSIMJiOkT" })], { model: "mistral/test" }),
      user(result(0)),
      assistant([use(1, { wireId: "toolu_1" }), use(2)], { model: "anthropic/x" }),
      user(result(1), result(2)),
    ],
    {},
    "mistral",
  );
  const ids = messages.flatMap(({ tool_call_id: id }) => id ?? []);
  assert.equal(ids[0], "gSIMJiOkT");
  assert.equal(new Set(ids).size, 3);
  assert.ok(ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id as string)));
});

test("a name no tool can have is made one the API accepts; arguments are always JSON", () => {
  const [, reply] = messagesOf([
    user(text("Go.")),
    assistant([
      use(0, { tool: "my tool!" }),
      use(1, { tool: "", input: {}, problem: "not valid JSON", inputText: "{'a'" }),
      use(2, { tool: "x".repeat(100) }),
    ]),
    user(result(0), result(1), result(2)),
  ]);
  const made = toolCalls(reply).map((call) => call["function"] as JsonObject);
  assert.deepEqual(
    made.map(({ name, arguments: args }) => [name, args]),
    [
      ["my_tool_", '{"path":"f0"}'],
      ["unnamed", "{}"],
      ["x".repeat(64), '{"path":"f2"}'],
    ],
  );
});

/** What a reply in the middle of a conversation says besides its text. */
function sent(
  blocks: readonly AssistantBlock[],
  options: {
    readonly provider: string;
    readonly more?: Partial<AssistantMessage>;
  },
): JsonObject | undefined {
  const { provider, more } = options;
  const hasCall = blocks.some((block) => block.type === "tool_use");
  const reply = assistant(blocks, { model: `${provider}/test`, ...more });
  const answer = hasCall ? user(result(0)) : user(text("On."));
  const [, wire] = messagesOf([user(text("Go.")), reply, answer], {}, provider);
  const usual = ["role", "content", "tool_calls"];
  return Object.fromEntries(Object.entries(wire ?? {}).filter(([key]) => !usual.includes(key)));
}

for (const provider of ["deepseek", "moonshot", "zai"]) {
  test(`${provider} gets its thinking back on every turn with calls, "" where there was none [W01]`, () => {
    const on = (
      blocks: readonly AssistantBlock[],
      more: Partial<AssistantMessage> = {},
    ): JsonObject | undefined => sent(blocks, { provider, more });
    assert.deepEqual(on([thinking("Hm."), use(0)]), { reasoning_content: "Hm." });
    assert.deepEqual(on([use(0)]), { reasoning_content: "" });
    assert.deepEqual(on([thinking("Foreign."), use(0)], { model: "anthropic/x" }), {
      reasoning_content: "",
    });
    assert.deepEqual(on([thinking("Hm."), text("Done.")]), { reasoning_content: "Hm." });
    assert.deepEqual(on([text("Done.")]), {});
    assert.deepEqual(on([thinking("Hm."), text("Do")], { partial: true }), {});
  });
}

test("any other server gets its thinking back in the field it came in, and no other model does", () => {
  const opaque = { provider: "openai-compatible", data: { field: "reasoning" } };
  const on = (blocks: readonly AssistantBlock[], model = "openai-compatible/test") =>
    sent(blocks, { provider: "openai-compatible", more: { model } });
  assert.deepEqual(on([thinking("Hm.", opaque), use(0)]), { reasoning: "Hm." });
  assert.deepEqual(on([thinking("Hm."), use(0)]), {});
  assert.deepEqual(on([thinking("Hm.", opaque), text("Done.")]), {});
  assert.deepEqual(on([thinking("Hm.", opaque), use(0)], "openai-compatible/other"), {});
  const foreign = { provider: "openrouter", data: { field: "reasoning" } };
  assert.deepEqual(on([thinking("Hm.", foreign), use(0)]), {});
});

test("OpenRouter gets reasoning_details back as they came", () => {
  const details: Json = [{ type: "reasoning.encrypted", data: "xyz", id: "r1", index: 0 }];
  const opaque = { provider: "openrouter", data: { reasoning_details: details } };
  const on = (blocks: readonly AssistantBlock[]) => sent(blocks, { provider: "openrouter" });
  assert.deepEqual(on([thinking("", opaque), use(0)]), { reasoning_details: details });
  assert.deepEqual(on([thinking("Hm."), use(0)]), {});
});

test("opaque data of a call goes back to the model that made it alone", () => {
  const data = { extra_content: { google: { thought_signature: "c2ln" } } };
  const opaque = { provider: "openai-compatible", data };
  const callIn = (model: string): JsonObject | undefined =>
    toolCalls(
      messagesOf([
        user(text("Go.")),
        assistant([use(0, { opaque })], { model }),
        user(result(0)),
      ])[1],
    )[0];
  assert.deepEqual(callIn(request.model)?.["extra_content"], data.extra_content);
  assert.equal(callIn("openai-compatible/other")?.["extra_content"], undefined);
});

test("what Kimi's schema check misses is filled in: every node has a type [W11]", () => {
  const inputSchema = {
    type: "object",
    properties: {
      any: {},
      list: { items: {} },
      typed: { type: "string", description: "s" },
      one: { enum: ["a"] },
      deep: { properties: { x: { description: "x" } }, additionalProperties: {} },
    },
  };
  const tools = [{ ...readTool, inputSchema }];
  const schemaIn = (provider: string): JsonObject => {
    const [tool] = bodyOf([user(text("Go."))], { tools }, provider).tools ?? [];
    return (tool as unknown as { function: { parameters: JsonObject } }).function.parameters;
  };
  assert.deepEqual(schemaIn("openai-compatible"), inputSchema);
  const anything = {
    anyOf: ["string", "number", "boolean", "object", "array", "null"].map((type) => ({ type })),
  };
  assert.deepEqual(schemaIn("moonshot"), {
    type: "object",
    properties: {
      any: anything,
      list: { type: "array", items: anything },
      typed: { type: "string", description: "s" },
      one: { enum: ["a"] },
      deep: {
        type: "object",
        properties: { x: { description: "x", ...anything } },
        additionalProperties: anything,
      },
    },
  });
});

test("a reply that ends the history is answered by the user, and two replies never meet", () => {
  const roles = (messages: readonly Message[]): unknown =>
    messagesOf(messages).map(({ role }) => role);
  assert.deepEqual(roles([user(text("Go.")), assistant([text("Hi.")])]), [
    "user",
    "assistant",
    "user",
  ]);
  assert.deepEqual(
    roles([user(text("Go.")), assistant([text("A")], { partial: true }), assistant([text("B")])]),
    ["user", "assistant", "user", "assistant", "user"],
  );
  assert.deepEqual(roles([assistant([text("First.")])]), ["user", "assistant", "user"]);
});
