import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { text, type AssistantBlock, type AssistantMessage, type Message } from "#core";
import type { ModelRequest } from "#runtime";
import { anthropicBody, requestProblems } from "#testing";
import { request } from "./asking.ts";
import { besideMessages, image, readTool, repliesOf, result, use, user } from "./histories.ts";

const model = request.model;
const assistant = repliesOf(model);
type Body = MessageCreateParamsStreaming;

function bodyOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): Body {
  const body = JSON.parse(
    anthropicBody({ ...request, tools: [readTool], ...more, messages }),
  ) as Body;
  assert.deepEqual(requestProblems(body), []);
  return body;
}

/** Messages without their cache marks. */
function plain(messages: readonly Message[], more: Partial<ModelRequest> = {}): unknown {
  const json = JSON.stringify(bodyOf(messages, more).messages);
  return JSON.parse(json.replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
}

test("a whole request, as the provider's own types want it R47", () => {
  const signed = { provider: "anthropic", data: { signature: "s" } };
  const body = bodyOf(
    [
      user(text("Look.")),
      assistant([
        { type: "thinking", text: "Hm.", opaque: signed },
        text("Reading."),
        use(0),
        use(1),
      ]),
      user(result(0), result(1, [text("not there")], true)),
    ],
    besideMessages,
  );
  const mark = { type: "ephemeral" } as const;
  const expected: Body = {
    model: "claude-test",
    system: [
      { type: "text", text: "You are Pawl.", cache_control: mark },
      { type: "text", text: "Today." },
    ],
    tools: [
      { name: "bash", description: "Runs.", input_schema: { type: "object" } },
      { name: "read", description: "Reads.", input_schema: { type: "object", properties: {} } },
    ],
    messages: [
      { role: "user", content: [{ type: "text", text: "Look.", cache_control: mark }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "s" },
          { type: "text", text: "Reading." },
          { type: "tool_use", id: "toolu_0", name: "read", input: { path: "f0" } },
          { type: "tool_use", id: "toolu_1", name: "read", input: { path: "f1" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_0", content: [{ type: "text", text: "ok" }] },
          {
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: [{ type: "text", text: "not there" }],
            is_error: true,
            cache_control: mark,
          },
        ],
      },
    ],
    max_tokens: 1000,
    tool_choice: { type: "none" },
    stream: true,
  };
  assert.deepEqual(body, expected);
});

test("neighbouring user messages are one, results first, in order [S19, W14]", () => {
  assert.deepEqual(
    plain([
      user(text("Go.")),
      assistant([use(0), use(1)]),
      user(text("By the way."), result(0)),
      user(result(1), text("And more.")),
    ]),
    [
      { role: "user", content: [{ type: "text", text: "Go." }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "toolu_0", name: "read", input: { path: "f0" } },
          { type: "tool_use", id: "toolu_1", name: "read", input: { path: "f1" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_0", content: [{ type: "text", text: "ok" }] },
          { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "ok" }] },
          { type: "text", text: "By the way." },
          { type: "text", text: "And more." },
        ],
      },
    ],
  );
});

test("empty text is left out, and no message is ever empty [W04]", () => {
  const go = { role: "user", content: [{ type: "text", text: "Continue." }] };
  assert.deepEqual(plain([user(text("   "))]), [go]);
  assert.deepEqual(plain([user()]), [go]);
  assert.deepEqual(
    plain([user(text(""), text("Hi.")), assistant([text("\n")]), user(text("Go."))]),
    [
      {
        role: "user",
        content: [
          { type: "text", text: "Hi." },
          { type: "text", text: "Go." },
        ],
      },
    ],
  );
  assert.deepEqual(
    plain([user(image), assistant([text("\n"), use(0)]), user(result(0, [text(" ")], true))]),
    [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "toolu_0", name: "read", input: { path: "f0" } }],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_0",
            content: [{ type: "text", text: "(no output)" }],
            is_error: true,
          },
        ],
      },
    ],
  );
});

test("images of a failed result move behind the results; those of a good one stay [W07]", () => {
  const wireImage = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "aGk=" },
  };
  const messages = plain([
    user(text("Go.")),
    assistant([use(0), use(1)]),
    user(result(0, [text("bad"), image], true), result(1, [image]), text("See.")),
  ]) as readonly { readonly content: unknown }[];
  assert.deepEqual(messages[2]?.content, [
    {
      type: "tool_result",
      tool_use_id: "toolu_0",
      content: [{ type: "text", text: "bad" }],
      is_error: true,
    },
    { type: "tool_result", tool_use_id: "toolu_1", content: [wireImage] },
    wireImage,
    { type: "text", text: "See." },
  ]);
});

test("no tools, no `tools`; where there were calls a stand-in that cannot be called [W10]", () => {
  const none = bodyOf([user(text("Hi."))], { tools: [], toolChoice: "none" });
  assert.ok(!("tools" in none) && !("tool_choice" in none));
  const history = [user(text("Hi.")), assistant([use(0)]), user(result(0))];
  const some = bodyOf(history, { tools: [] });
  assert.deepEqual(
    some.tools?.map((tool) => "name" in tool && tool.name),
    ["unavailable"],
  );
  assert.deepEqual(some.tool_choice, { type: "none" });
});

test("tools stand in the order of their names, whatever order they came in", () => {
  const names = ["write", "Bash", "edit"];
  const tools = names.map((name) => ({ ...readTool, name }));
  const one = bodyOf([user(text("Hi."))], { tools });
  const other = bodyOf([user(text("Hi."))], { tools: tools.toReversed() });
  assert.deepEqual(one, other);
  assert.deepEqual(
    one.tools?.map((tool) => "name" in tool && tool.name),
    ["Bash", "edit", "write"],
  );
});

test("ids of calls: the provider's own where they can be sent and are unique, else ours [P13, W13]", () => {
  const foreign = `call_1|fc_${"x".repeat(120)}`;
  const messages = plain([
    user(text("Go.")),
    assistant([
      use(0, { wireId: "same" }),
      use(1, { wireId: "same" }),
      use(2, { wireId: null }),
      use(3, { wireId: "no spaces" }),
    ]),
    user(result(0), result(1), result(2), result(3)),
    assistant([use(4, { wireId: foreign }), use(5, { wireId: "ok_id" })], { model: "openai/gpt" }),
    user(result(4), result(5)),
  ]) as readonly {
    readonly content: readonly { readonly id?: string; readonly tool_use_id?: string }[];
  }[];
  const ids = messages.flatMap(({ content }) => content.flatMap(({ id }) => id ?? []));
  assert.deepEqual(ids, ["same", "r1-1", "r1-2", "r1-3", "r1-4", "r1-5"]);
  const answered = messages.flatMap(({ content }) =>
    content.flatMap(({ tool_use_id }) => tool_use_id ?? []),
  );
  assert.deepEqual(answered, ids);
});

test("a name no tool can have is made one the API accepts", () => {
  const body = bodyOf([
    user(text("Go.")),
    assistant([use(0, { tool: "my tool!" }), use(1, { tool: "" })]),
    user(result(0), result(1)),
  ]);
  const names = [...JSON.stringify(body.messages).matchAll(/"name":"([^"]*)"/g)].map((m) => m[1]);
  assert.deepEqual(names, ["my_tool_", "unnamed"]);
});

test("opaque data goes back to its own provider alone, unchanged", () => {
  const data = { type: "server_tool_use", id: "s", name: "web_search", input: { z: 1, a: [2.5] } };
  const messages = plain([
    user(text("Go.")),
    assistant([
      { type: "opaque", provider: "gemini", data: { thought: 1 } },
      { type: "opaque", provider: "anthropic", data },
      { type: "text", text: "Hi.", opaque: { provider: "openai", data: { x: 1 } } },
      {
        type: "text",
        text: "Ho.",
        opaque: { provider: "anthropic", data: { citations: [{ a: 1 }] } },
      },
    ]),
    user(text("Go on.")),
  ]) as readonly { readonly content: unknown }[];
  assert.equal(
    JSON.stringify(messages[1]?.content),
    JSON.stringify([
      data,
      { type: "text", text: "Hi." },
      { type: "text", text: "Ho.", citations: [{ a: 1 }] },
    ]),
  );
});

test("thinking goes back signed, to the model that thought it, and never stands last", () => {
  const signed = { provider: "anthropic", data: { signature: "s" } };
  const thinking = { type: "thinking", text: "", opaque: signed } as const;
  const redacted = {
    type: "opaque",
    provider: "anthropic",
    data: { type: "redacted_thinking", data: "x" },
  } as const;
  const kinds = (
    blocks: readonly AssistantBlock[],
    more: Partial<AssistantMessage> = {},
  ): unknown =>
    (
      plain([user(text("Go.")), assistant(blocks, more), user(text("On."))]) as readonly {
        readonly role: string;
        readonly content: readonly { readonly type: string }[];
      }[]
    ).flatMap(({ role, content }) => (role === "assistant" ? content.map(({ type }) => type) : []));
  assert.deepEqual(kinds([redacted, thinking, text("Hi.")]), [
    "redacted_thinking",
    "thinking",
    "text",
  ]);
  assert.deepEqual(kinds([{ type: "thinking", text: "Hm." }, text("Hi.")]), ["text"], "unsigned");
  const foreign = { provider: "gemini", data: { signature: "s" } };
  assert.deepEqual(kinds([{ type: "thinking", text: "Hm.", opaque: foreign }, text("Hi.")]), [
    "text",
  ]);
  assert.deepEqual(kinds([thinking, text("Hi.")], { model: "anthropic/other" }), ["text"]);
  assert.deepEqual(kinds([text("Hi."), thinking, redacted]), ["text"]);
  assert.deepEqual(kinds([thinking]), []);
  assert.deepEqual(kinds([thinking, redacted, text("Hi.")], { partial: true }), ["text"]);
});

test("a reply that ends the history is continued; one that paused is sent back as it is", () => {
  const paused = {
    type: "opaque",
    provider: "anthropic",
    data: { type: "server_tool_use", id: "s", name: "web_search", input: {} },
  } as const;
  const roles = (messages: readonly Message[]): unknown =>
    (plain(messages) as readonly { readonly role: string }[]).map(({ role }) => role);
  assert.deepEqual(roles([user(text("Go.")), assistant([text("Hi.")])]), [
    "user",
    "assistant",
    "user",
  ]);
  assert.deepEqual(roles([user(text("Go.")), assistant([paused])]), ["user", "assistant"]);
  assert.deepEqual(roles([user(text("Go.")), assistant([paused]), assistant([text("Done.")])]), [
    "user",
    "assistant",
    "assistant",
    "user",
  ]);
  assert.deepEqual(
    roles([user(text("Go.")), assistant([text("A")], { partial: true }), assistant([text("B")])]),
    ["user", "assistant", "user", "assistant", "user"],
  );
  assert.deepEqual(roles([assistant([text("First.")])]), ["user", "assistant", "user"]);
});

test("where nothing of the system prompt stays the same, the last tool bears the cache mark", () => {
  const body = bodyOf([user(text("Hi."))], {
    system: [{ name: "date", text: "Today.", stable: false }],
    tools: [readTool, { ...readTool, name: "write" }],
  });
  assert.deepEqual(
    body.tools?.map((tool) => tool.cache_control?.type),
    [undefined, "ephemeral"],
  );
  assert.deepEqual(body.system, [{ type: "text", text: "Today." }]);
});

test("the last two user messages bear cache marks", () => {
  const turns = [0, 1, 2].flatMap((n) => [user(text(`q${n}`)), assistant([text(`a${n}`)])]);
  const marks = bodyOf([...turns, user(text("q3"))]).messages.map(({ content }) =>
    JSON.stringify(content).includes("cache_control"),
  );
  assert.deepEqual(marks, [false, false, false, false, true, false, true]);
});

test("R14 request n + 1 begins with the bytes of request n, up to its first cache mark", () => {
  const turns = [0, 1, 2, 3].flatMap((n) => [user(text(`q${n}`)), assistant([text(`a${n}`)])]);
  const bodies = [1, 3, 5, 7].map((end) =>
    anthropicBody({ ...request, messages: turns.slice(0, end) }),
  );
  bodies.slice(1).forEach((body, index) => {
    const before = bodies[index] ?? "";
    const firstMark = before.indexOf(',"cache_control"');
    assert.ok(firstMark > 0 && body.startsWith(before.slice(0, firstMark)));
  });
});
