import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import {
  text,
  type AssistantBlock,
  type AssistantMessage,
  type JsonObject,
  type Message,
  type Opaque,
} from "#core";
import type { ModelRequest } from "#runtime";
import {
  fakeClock,
  openAiResponsesBody,
  openAiResponsesClient,
  responsesRequestProblems,
  startScriptedServer,
} from "#testing";
import { thinkingForm } from "../../../../src/adapters/models/catalog/providers.ts";
import { ask, request as usual } from "../asking.ts";
import { besideMessages, image, readTool, repliesOf, result, use, user } from "../histories.ts";

const model = "openai/gpt-test";
const request: ModelRequest = { ...usual, model };
const assistant = repliesOf(model);
type Body = ResponseCreateParamsStreaming;

function bodyOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): Body {
  const asked = { ...request, tools: [readTool], ...more, messages };
  const body = JSON.parse(openAiResponsesBody(asked)) as Body;
  assert.deepEqual(responsesRequestProblems(body), []);
  return body;
}

const itemsOf = (...args: Parameters<typeof bodyOf>): readonly JsonObject[] =>
  bodyOf(...args).input as unknown as readonly JsonObject[];

const own = (data: JsonObject): { readonly opaque: Opaque } => ({
  opaque: { provider: "openai", data },
});
const thought = (id: string, more: JsonObject = {}): AssistantBlock => {
  const item = { type: "reasoning", id, summary: [], encrypted_content: `secret of ${id}` };
  return { type: "thinking", text: "Hm.", ...own({ ...item, ...more }) };
};
const part = { type: "output_text", annotations: [] };
const answer = (id: string, content: string): AssistantBlock => ({
  ...text(content),
  ...own({ id, status: "completed", part }),
});

test("a whole request, as the provider's own types want it R47", () => {
  const body = bodyOf(
    [
      user(text("Look."), image),
      assistant([
        thought("rs_1"),
        answer("msg_1", "Reading."),
        use(0, { wireId: "call_0", ...own({ id: "fc_0", status: "completed" }) }),
        use(1, { wireId: "call_1", ...own({ id: "fc_1", status: "completed" }) }),
      ]),
      user(result(0), result(1, [text("not there")], true)),
    ],
    besideMessages,
  );
  const expected: Body = {
    model: "gpt-test",
    instructions: "You are Pawl.\n\nToday.",
    tools: [
      {
        type: "function",
        name: "bash",
        description: "Runs.",
        parameters: { type: "object" },
        strict: false,
      },
      {
        type: "function",
        name: "read",
        description: "Reads.",
        parameters: { type: "object", properties: {} },
        strict: false,
      },
    ],
    input: [
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Look." },
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret of rs_1" },
      {
        type: "message",
        role: "assistant",
        status: "completed",
        id: "msg_1",
        content: [{ type: "output_text", annotations: [], text: "Reading." }],
      },
      {
        id: "fc_0",
        status: "completed",
        type: "function_call",
        call_id: "call_0",
        name: "read",
        arguments: '{"path":"f0"}',
      },
      {
        id: "fc_1",
        status: "completed",
        type: "function_call",
        call_id: "call_1",
        name: "read",
        arguments: '{"path":"f1"}',
      },
      { type: "function_call_output", call_id: "call_0", output: "ok" },
      { type: "function_call_output", call_id: "call_1", output: "Error: not there" },
    ],
    tool_choice: "none",
    max_output_tokens: 1000,
    include: ["reasoning.encrypted_content"],
    store: false,
    stream: true,
  };
  assert.deepEqual(body, expected);
});

test("thoughts are asked for encrypted where the model has any", () => {
  assert.deepEqual(bodyOf([user(text("Go."))]).include, ["reasoning.encrypted_content"]);
  for (const name of ["gpt-5.2", "gpt-6.1-sol", "o4-mini", "codex-mini", "somebody/else"]) {
    assert.equal(thinkingForm("openai", name), "reasoning_effort", name);
  }
  for (const name of ["gpt-4o", "gpt-4.1-mini", "chatgpt-4o-latest", "gpt-5-chat-latest"]) {
    assert.equal(thinkingForm("openai", name), "refused", name);
  }
});

for (const [name, thinking, reasoning] of [
  ["gpt-5.2", null, undefined],
  ["gpt-5.2", "off", { effort: "none" }],
  ["gpt-5.2", "low", { effort: "low" }],
  ["gpt-6.1-sol", "max", { effort: "xhigh" }],
  ["gpt-5-mini", "off", { effort: "minimal" }],
  ["gpt-5", "max", { effort: "high" }],
  ["gpt-5-pro", "low", { effort: "high" }],
  ["gpt-5.1", "off", { effort: "none" }],
  ["gpt-5.1-codex", "off", { effort: "low" }],
  ["gpt-5.1-codex-max", "max", { effort: "xhigh" }],
  ["o4-mini", "off", { effort: "low" }],
  ["gpt-4.1", "high", undefined],
] as const) {
  test(`${name} is to think ${thinking ?? "as it does by itself"} [W17]`, async () => {
    await using server = await startScriptedServer({ turns: [] });
    const client = openAiResponsesClient({
      apiKey: null,
      baseUrl: server.url,
      clock: fakeClock(),
      thinking: thinkingForm("openai", name),
    });
    await ask(client, { request: { ...request, model: `openai/${name}`, thinking } });
    const [seen] = server.requests;
    assert.deepEqual([seen?.problems, seen?.body["reasoning"]], [[], reasoning]);
  });
}

test("limits the API would refuse are made ones it takes [W17]", () => {
  assert.equal(bodyOf([user(text("Go."))], { maxOutputTokens: 0.5 }).max_output_tokens, 16);
  assert.equal(bodyOf([user(text("Go."))], { maxOutputTokens: 99.9 }).max_output_tokens, 99);
});

test("no tools, no `tools`, and nothing that goes with them [W10]", () => {
  const body = bodyOf([user(text("Hi.")), assistant([use(0)]), user(result(0))], {
    tools: [],
    toolChoice: "none",
  });
  assert.ok(!("tools" in body) && !("tool_choice" in body));
});

const types = (items: readonly JsonObject[]): readonly unknown[] =>
  items.map(({ type, role }) => role ?? type);

test("results stand in order right behind their calls, whatever came between [S19, W14]", () => {
  const items = itemsOf([
    user(text("Go.")),
    assistant([use(0), use(1)]),
    user(text("By the way."), result(0)),
    user(result(1), text("And more.")),
  ]);
  assert.deepEqual(types(items), [
    "user",
    "function_call",
    "function_call",
    "function_call_output",
    "function_call_output",
    "user",
    "user",
  ]);
});

const go = {
  type: "message",
  role: "user",
  content: [{ type: "input_text", text: "Continue." }],
};

test("empty text is left out, nothing sent is empty, and a reply is always answered [W04]", () => {
  assert.deepEqual(itemsOf([user(text("   "))]), [go]);
  assert.deepEqual(itemsOf([user()]), [go]);
  const items = itemsOf([
    user(text(""), text("Hi.")),
    assistant([text("\n"), use(0)]),
    user(result(0, [])),
    assistant([answer("msg_1", " ")]),
    assistant([text("Done.")]),
  ]);
  assert.deepEqual(types(items), [
    "user",
    "function_call",
    "function_call_output",
    "assistant",
    "user",
  ]);
  assert.equal(items[2]?.["output"], "(no output)");
  assert.deepEqual(items.at(-1), go);
});

test("images of results stay in them, also of failed ones [W07]", () => {
  const output = itemsOf([
    user(text("Go.")),
    assistant([use(0)]),
    user(result(0, [text("bad"), image], true)),
  ]).at(-1)?.["output"];
  assert.deepEqual(output, [
    { type: "input_text", text: "Error:" },
    { type: "input_text", text: "bad" },
    { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" },
  ]);
});

test("an answer of several parts is one item again", () => {
  const more = { phase: "final_answer" };
  const two: readonly AssistantBlock[] = [
    {
      ...text("One."),
      ...own({ id: "msg_1", ...more, part: { ...part, annotations: [{ a: 1 }] } }),
    },
    { ...text("No."), ...own({ id: "msg_1", ...more, part: { type: "refusal" } }) },
    { ...text("Other."), ...own({ id: "msg_2", part }) },
  ];
  const items = itemsOf([user(text("Go.")), assistant(two)]);
  const message = { type: "message", role: "assistant", status: "completed" };
  assert.deepEqual(items.slice(1, -1), [
    {
      ...message,
      id: "msg_1",
      ...more,
      content: [
        { type: "output_text", annotations: [{ a: 1 }], text: "One." },
        { type: "refusal", annotations: [], refusal: "No." },
      ],
    },
    {
      ...message,
      id: "msg_2",
      content: [{ type: "output_text", annotations: [], text: "Other." }],
    },
  ]);
});

const ids = (items: readonly JsonObject[]): readonly unknown[] =>
  items.flatMap(({ id }) => (id === undefined ? [] : [id]));

/** What a reply in the middle of a conversation becomes. */
const sent = (
  blocks: readonly AssistantBlock[],
  more: Partial<AssistantMessage> = {},
): readonly JsonObject[] => {
  const calls = blocks.filter((block) => block.type === "tool_use").length;
  const results = Array.from({ length: calls }, (_, index) => result(index));
  const items = itemsOf([user(text("Go.")), assistant(blocks, more), user(...results, text("."))]);
  return items.filter(({ role, call_id: id, output }) => role !== "user" && (!id || !output));
};

const called = use(0, { wireId: "call_0", ...own({ id: "fc_0", status: "completed" }) });

test("thoughts go back with what follows them, byte for byte, to the very model [W02]", () => {
  const secret = { encrypted_content: 'gAAA+/=\\u0000"', status: "completed", extra: [null] };
  assert.deepEqual(sent([thought("rs_1", secret), called])[0], {
    type: "reasoning",
    id: "rs_1",
    summary: [],
    ...secret,
  });
  const open = { encrypted_content: null, content: [{ type: "reasoning_text", text: "Hm." }] };
  assert.deepEqual(ids(sent([thought("rs_1", open), called])), ["rs_1", "fc_0"]);
});

for (const [name, blocks, more] of [
  ["of another model", [thought("rs_1"), called], { model: "openai/older" }],
  ["of another provider", [thought("rs_1"), called], { model: "anthropic/x" }],
  ["without its encrypted content", [thought("rs_1", { encrypted_content: null }), called], {}],
  ["that is no item of this wire", [{ type: "thinking", text: "Hm." }, called], {}],
  ["with an id the host did not give", [thought("62bf-uuid"), called], {}],
  ["of a reply that broke off", [thought("rs_1"), text("So f")], { partial: true }],
] as const) {
  test(`a thought ${name} stays behind, and so do the ids of what followed it`, () => {
    const items = sent(blocks, more);
    assert.equal(items.length, 1);
    assert.deepEqual(ids(items), []);
  });
}

test("a thought at the end of a reply, with nothing behind it, is left out", () => {
  assert.deepEqual(types(sent([answer("msg_1", "Hi."), thought("rs_1")])), ["assistant"]);
  assert.deepEqual(sent([thought("rs_1")]), []);
});

test("items nobody knows go back as they came, calls that nobody answered do not", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { q: "x" } };
  const opaque = (data: JsonObject, provider = "openai"): AssistantBlock => ({
    type: "opaque",
    provider,
    data,
  });
  assert.deepEqual(sent([opaque(search), answer("msg_1", "Hi.")])[0], search);
  const shell = { type: "shell_call", id: "sh_1", call_id: "c1", action: {} };
  const output = { type: "shell_call_output", id: "sho_1", call_id: "c1", output: [] };
  const both = [opaque(shell), opaque(output), answer("msg_1", "Hi.")];
  assert.deepEqual(
    itemsOf([user(text("Go.")), assistant(both)])
      .map(({ type }) => type)
      .slice(1, 3),
    ["shell_call", "shell_call_output"],
  );
  assert.deepEqual(types(sent([opaque(shell), answer("msg_1", "Hi.")])), ["assistant"]);
  assert.deepEqual(types(sent([opaque(search, "gemini"), text("Hi.")])), ["assistant"]);
});

test("a call of free text and its result go back as such; a shell call as a plain one", () => {
  const free = use(0, {
    wireId: "c0",
    tool: "sql",
    input: { input: "SELECT" },
    ...own({ type: "custom_tool_call", id: "ct_0", status: "completed" }),
  });
  const shell = use(1, {
    wireId: "c1",
    tool: "local_shell",
    input: { command: ["ls"] },
    ...own({ type: "local_shell_call", id: "lsh_1", status: "completed" }),
  });
  const items = itemsOf([
    user(text("Go.")),
    assistant([free, shell]),
    user(result(0), result(1)),
  ]).slice(1);
  assert.deepEqual(items, [
    {
      type: "custom_tool_call",
      id: "ct_0",
      status: "completed",
      call_id: "c0",
      name: "sql",
      input: "SELECT",
    },
    {
      type: "function_call",
      call_id: "c1",
      name: "local_shell",
      arguments: '{"command":["ls"]}',
    },
    { type: "custom_tool_call_output", call_id: "c0", output: "ok" },
    { type: "function_call_output", call_id: "c1", output: "ok" },
  ]);
});

test("ids of calls: the provider's own where they can be sent and are unique, else ours [P13, W13]", () => {
  const long = `call_1|fc_${"x".repeat(120)}`;
  const items = itemsOf([
    user(text("Go.")),
    assistant([
      use(0, { wireId: "call_0" }),
      use(1, { wireId: "call_0" }),
      use(2, { wireId: null }),
      use(3, { wireId: long }),
    ]),
    user(result(0), result(1), result(2), result(3)),
    assistant([use(4, { wireId: "call_0" })]),
    user(result(4)),
    assistant([use(5, { wireId: "toolu_ok" })], { model: "anthropic/x" }),
    user(result(5)),
  ]);
  const of = (suffix: string): readonly unknown[] =>
    items.filter(({ type }) => type === `function_call${suffix}`).map(({ call_id: id }) => id);
  assert.deepEqual(of(""), ["call_0", "r1-1", "r1-2", "r1-3", "r1-4", "r1-5"]);
  assert.deepEqual(of("_output"), of(""));
});

test("a name no tool can have is made one the API accepts; arguments are always JSON", () => {
  const items = sent([
    use(0, { tool: "my tool!" }),
    use(1, { tool: "", input: {}, problem: "not valid JSON", inputText: "{'a'" }),
    use(2, { tool: "x".repeat(100) }),
  ]);
  assert.deepEqual(
    items.map(({ name, arguments: args }) => [name, args]),
    [
      ["my_tool_", '{"path":"f0"}'],
      ["unnamed", "{}"],
      ["x".repeat(64), '{"path":"f2"}'],
    ],
  );
});
