import assert from "node:assert/strict";
import { test } from "node:test";
import type { Content, Part, Tool } from "@google/genai";
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
  geminiBody,
  geminiClient,
  geminiRequestProblems,
  startScriptedServer,
} from "#testing";
import { thinkingForm } from "../../../../src/adapters/models/catalog/providers.ts";
import { ask, request as usual } from "../asking.ts";
import { image, readTool, repliesOf, result, use, user } from "../histories.ts";

const model = "gemini/gemini-3-test";
const request: ModelRequest = { ...usual, model };
const assistant = repliesOf(model);

interface Body {
  readonly systemInstruction?: Content;
  readonly tools?: readonly Tool[];
  readonly contents: readonly Content[];
  readonly toolConfig?: object;
  readonly generationConfig: JsonObject;
}

function bodyOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): Body {
  const asked = { ...request, tools: [readTool], ...more, messages };
  const body = JSON.parse(geminiBody(asked)) as Body;
  assert.deepEqual(geminiRequestProblems(body, { model: asked.model.slice(7) }), []);
  return body;
}

const contentsOf = (...args: Parameters<typeof bodyOf>): readonly Content[] =>
  bodyOf(...args).contents;

const own = (data: JsonObject): { readonly opaque: Opaque } => ({
  opaque: { provider: "gemini", data },
});
const signature = { thoughtSignature: "c2lnbmF0dXJl+/=" };
const said = (role: string, ...parts: readonly Part[]): Content => ({ role, parts: [...parts] });
const bypass = { thoughtSignature: "skip_thought_signature_validator" };

test("a whole request, as the provider's own types want it R47", () => {
  const body = bodyOf(
    [
      user(text("Look."), image),
      assistant([
        { type: "thinking", text: "Hm." },
        text("Reading."),
        use(0, { wireId: "w0", ...own(signature) }),
        use(1, { wireId: "w1" }),
      ]),
      user(result(0), result(1, [text("not there")], true)),
    ],
    {
      system: [
        { name: "date", text: "Today.", stable: false },
        { name: "role", text: "You are Pawl.", stable: true },
      ],
      tools: [
        { ...readTool, inputSchema: { type: "object", properties: { path: { type: "string" } } } },
        { name: "bash", description: "Runs.", inputSchema: { type: "object" } },
      ],
      toolChoice: "none",
    },
  );
  const call = (name: string): Part => ({
    functionCall: { id: `w${name}`, name: "read", args: { path: `f${name}` } },
  });
  const expected: Body = {
    systemInstruction: { parts: [{ text: "You are Pawl." }, { text: "Today." }] },
    tools: [
      {
        functionDeclarations: [
          { name: "bash", description: "Runs." },
          {
            name: "read",
            description: "Reads.",
            parameters: JSON.parse('{"type":"object","properties":{"path":{"type":"string"}}}'),
          },
        ],
      },
    ],
    contents: [
      said("user", { text: "Look." }, { inlineData: { mimeType: "image/png", data: "aGk=" } }),
      said("model", { text: "Reading." }, { ...call("0"), ...signature }, call("1")),
      said(
        "user",
        { functionResponse: { id: "w0", name: "read", response: { output: "ok" } } },
        { functionResponse: { id: "w1", name: "read", response: { error: "not there" } } },
      ),
    ],
    toolConfig: { functionCallingConfig: { mode: "NONE" } },
    generationConfig: { maxOutputTokens: 1000, thinkingConfig: { includeThoughts: true } },
  };
  assert.deepEqual(body, expected);
});

for (const [name, thinking, config] of [
  ["gemini-2.0-flash", "high", undefined],
  ["gemini-2.5-pro", null, { includeThoughts: true }],
  ["gemini-2.5-pro", "off", { thinkingBudget: 128 }],
  ["gemini-2.5-flash", "off", { thinkingBudget: 0 }],
  ["gemini-2.5-flash", "medium", { includeThoughts: true, thinkingBudget: 8_192 }],
  ["gemini-2.5-flash", "max", { includeThoughts: true, thinkingBudget: 15_000 }],
  ["gemini-3.8-flash", "off", { includeThoughts: true, thinkingLevel: "LOW" }],
  ["gemini-3.8-flash", "medium", { includeThoughts: true, thinkingLevel: "MEDIUM" }],
  ["gemini-3-pro-preview", "medium", { includeThoughts: true, thinkingLevel: "HIGH" }],
  ["gemini-flash-latest", "max", { includeThoughts: true, thinkingLevel: "HIGH" }],
] as const) {
  test(`${name} is to think ${thinking ?? "as it does by itself"} [W17]`, async () => {
    await using server = await startScriptedServer({ turns: [] });
    const client = geminiClient({
      apiKey: null,
      baseUrl: server.url,
      clock: fakeClock(),
      thinking: thinkingForm("gemini", name),
    });
    await ask(client, {
      request: { ...request, model: `gemini/${name}`, thinking, maxOutputTokens: 20_000 },
    });
    const [seen] = server.requests;
    const sent = seen?.body["generationConfig"] as JsonObject | undefined;
    assert.deepEqual([seen?.problems, sent?.["thinkingConfig"]], [[], config]);
  });
}

test("no tools, no `tools`, and nothing that goes with them [W10]", () => {
  const body = bodyOf([user(text("Hi.")), assistant([use(0)]), user(result(0))], {
    tools: [],
    toolChoice: "none",
  });
  assert.ok(!("tools" in body) && !("toolConfig" in body));
});

test("user and model take turns; results stand first and in order [S19, W14]", () => {
  const contents = contentsOf([
    user(text("Go.")),
    assistant([use(0), use(1)]),
    user(text("By the way."), result(0)),
    user(result(1), text("And more.")),
    assistant([text("A")], { partial: true }),
    assistant([text("B")]),
  ]);
  assert.deepEqual(
    contents.map(({ role, parts }) => [role, parts?.map((part) => Object.keys(part)[0])]),
    [
      ["user", ["text"]],
      ["model", ["functionCall", "functionCall"]],
      ["user", ["functionResponse", "functionResponse", "text", "text"]],
      ["model", ["text"]],
      ["user", ["text"]],
      ["model", ["text"]],
      ["user", ["text"]],
    ],
  );
  assert.deepEqual(contents.at(-1), said("user", { text: "Continue." }));
});

test("empty text is left out, and no content is ever empty [W04]", () => {
  const go = said("user", { text: "Continue." });
  assert.deepEqual(contentsOf([user(text("   "))]), [go]);
  assert.deepEqual(contentsOf([assistant([text("First.")])]), [
    go,
    said("model", { text: "First." }),
    go,
  ]);
  assert.deepEqual(
    contentsOf([user(text(""), text("Hi.")), assistant([text("\n")]), user(text("Go."))]),
    [said("user", { text: "Hi." }, { text: "Go." })],
  );
});

test("images of results move behind them, also those of failed ones [W07]", () => {
  const wireImage = { inlineData: { mimeType: "image/png", data: "aGk=" } };
  const name = "read";
  assert.deepEqual(
    contentsOf([
      user(text("Go.")),
      assistant([use(0), use(1), use(2)]),
      user(result(0, [text("bad"), image], true), result(1, [image]), result(2, []), text("See.")),
    ]).at(-1),
    said(
      "user",
      { functionResponse: { id: "toolu_0", name, response: { error: "bad" } } },
      {
        functionResponse: {
          id: "toolu_1",
          name,
          response: { output: "(see the images that follow)" },
        },
      },
      { functionResponse: { id: "toolu_2", name, response: { output: "(no output)" } } },
      wireImage,
      wireImage,
      { text: "See." },
    ),
  );
});

/** What a reply in the middle of a conversation becomes. */
const sent = (
  blocks: readonly AssistantBlock[],
  more: Partial<AssistantMessage> = {},
  asked: Partial<ModelRequest> = {},
): readonly Part[] => {
  const calls = blocks.filter((block) => block.type === "tool_use").length;
  const results = Array.from({ length: calls }, (_, index) => result(index));
  const contents = contentsOf(
    [user(text("Go.")), assistant(blocks, more), user(...results, text("."))],
    asked,
  );
  return contents[1]?.role === "model" ? (contents[1].parts ?? []) : [];
};

test("signatures go back on the parts they came with, byte for byte, to the very model [W02]", () => {
  const empty = { text: "", ...signature };
  const blocks: readonly AssistantBlock[] = [
    { type: "thinking", text: "I think.", ...own(signature) },
    text("One"),
    { ...text(" two"), ...own(signature) },
    use(0, own(signature)),
    use(1),
    { type: "opaque", provider: "gemini", data: empty },
  ];
  const plain = [{ text: "One" }, { text: " two" }];
  const calls = [0, 1].map((index) => ({
    functionCall: { id: `toolu_${index}`, name: "read", args: { path: `f${index}` } },
  }));
  assert.deepEqual(sent(blocks), [
    { text: "I think.", thought: true, ...signature },
    { text: "One" },
    { text: " two", ...signature },
    { ...calls[0], ...signature },
    calls[1],
    empty,
  ]);
  const older = [...plain, { ...calls[0], ...bypass }, calls[1]];
  assert.deepEqual(sent(blocks, { model: "gemini/older" }), older);
});

test("calls of other models get the documented bypass where signatures are wanted [W02]", () => {
  const foreign = [use(0, { opaque: { provider: "anthropic", data: { x: 1 } } }), use(1)];
  const call = (index: number) => ({ functionCall: { name: "read", args: { path: `f${index}` } } });
  const from = { model: "anthropic/claude-x" };
  assert.deepEqual(sent(foreign, from), [{ ...call(0), ...bypass }, call(1)]);
  for (const name of ["gemini-2.5-pro", "gemini-1.5-flash", "gemma-3"]) {
    assert.deepEqual(sent(foreign, from, { model: `gemini/${name}` }), [call(0), call(1)], name);
  }
});

test("thoughts without a signature, and what other providers alone understand, stay behind", () => {
  assert.deepEqual(
    sent([
      { type: "thinking", text: "Hm." },
      { type: "thinking", text: "Hm.", opaque: { provider: "anthropic", data: signature } },
      { type: "opaque", provider: "anthropic", data: { type: "redacted_thinking" } },
      text("Hi."),
    ]),
    [{ text: "Hi." }],
  );
});

test("ids go back where the API gave them and are unique, others are never made up [P13, W13]", () => {
  const contents = contentsOf([
    user(text("Go.")),
    assistant([use(0, { wireId: "same" }), use(1, { wireId: "same" }), use(2, { wireId: null })]),
    user(result(0), result(1), result(2)),
    assistant([use(3, { wireId: `call_1|fc_${"x".repeat(120)}` })], { model: "openai/x" }),
    user(result(3)),
  ]);
  const ids = (field: "functionCall" | "functionResponse"): readonly unknown[] =>
    contents.flatMap(({ parts }) =>
      (parts ?? []).flatMap((part) => (part[field] === undefined ? [] : [part[field].id ?? null])),
    );
  assert.deepEqual(ids("functionCall"), ["same", "r1-1", null, null]);
  assert.deepEqual(ids("functionResponse"), ids("functionCall"));
});

test("a name no tool can have is made one the API accepts", () => {
  const parts = sent([
    use(0, { tool: "my tool!" }),
    use(1, { tool: "" }),
    use(2, { tool: "1st" }),
    use(3, { tool: "x".repeat(300) }),
  ]);
  assert.deepEqual(
    parts.map(({ functionCall }) => functionCall?.name),
    ["my_tool_", "unnamed", "_1st", "x".repeat(127)],
  );
});

for (const [base, name, path] of [
  ["", "gemini-x", "/v1beta/models/gemini-x:streamGenerateContent"],
  ["/v1beta/", "gemini-x", "/v1beta/models/gemini-x:streamGenerateContent"],
  ["/v1", "tunedModels/my one", "/v1/tunedModels/my%20one:streamGenerateContent"],
] as const) {
  test(`${base || "a bare host"} and ${name} make ${path}`, async () => {
    await using server = await startScriptedServer({ turns: [{ text: "Hi." }] });
    const client = geminiClient({
      apiKey: "key-1",
      baseUrl: server.url + base,
      clock: fakeClock(),
    });
    const last = await ask(client, { request: { ...request, model: `gemini/${name}` } });
    assert.equal(last.type, "end");
    const [seen] = server.requests;
    assert.deepEqual([seen?.path, seen?.headers["x-goog-api-key"]], [path, "key-1"]);
  });
}
