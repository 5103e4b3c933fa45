import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { callId, isPawlError, plainText, requestId, text, type Message } from "#core";
import type { ModelRequest } from "#runtime";
import { modelClients, modelFacts } from "#adapters/models";
import {
  anthropicClient,
  fakeClock,
  parseScript,
  requestProblems,
  scriptedClient,
  startScriptedServer,
  type ScriptedTurn,
} from "#testing";
import { ask, request } from "./asking.ts";

const turns: readonly ScriptedTurn[] = [
  { calls: [{ tool: "read", input: { path: "a" } }] },
  { text: "The answer." },
];

/** The request after `replies` replies of a model, each with a call that is answered. */
function after(replies: number, model: string): ModelRequest {
  const messages = Array.from({ length: replies }, (_, n): readonly Message[] => {
    const call = callId(requestId(n), 0);
    const use = {
      type: "tool_use",
      call,
      wireId: null,
      tool: "read",
      input: {},
      problem: null,
      inputText: null,
      complete: true,
    } as const;
    return [
      { role: "assistant", model, blocks: [use], seq: n, partial: false },
      {
        role: "user",
        blocks: [{ type: "tool_result", call, content: [text("ok")], isError: false }],
        seq: n,
      },
    ];
  });
  const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }] as const;
  return { ...request, model, tools, messages: [...request.messages, ...messages.flat()] };
}

async function said(
  client: ReturnType<typeof scriptedClient>,
  asked: ModelRequest,
): Promise<string> {
  const last = await ask(client, { request: asked });
  assert.ok(last.type === "end", JSON.stringify(last));
  return plainText(last.reply.blocks) || last.reply.blocks.map((block) => block.type).join();
}

test("which turn answers is the number of replies in the request: a restarted client goes on R75", async () => {
  const ref = "scripted/x";
  const process = scriptedClient({ ref, turns, clock: fakeClock() });
  assert.equal(await said(process, after(1, ref)), "The answer.");
  assert.equal(await said(process, after(0, ref)), "tool_use");
  assert.equal(
    await said(process, after(1, "anthropic/other")),
    "tool_use",
    "others' replies do not count",
  );
  await using server = await startScriptedServer({ turns });
  for (const replies of [1, 0, 1]) {
    const client = anthropicClient({ apiKey: null, baseUrl: server.url, clock: fakeClock() });
    assert.equal(
      await said(client, after(replies, "anthropic/x")),
      replies === 0 ? "tool_use" : "The answer.",
    );
  }
  assert.deepEqual(
    server.requests.map(({ turn }) => turn),
    [1, 0, 1],
  );
});

test("after its last turn a script repeats its answer, or says that it is over", async () => {
  const ref = "scripted/x";
  const client = scriptedClient({ ref, turns, clock: fakeClock() });
  const last = await ask(client, { request: after(5, ref) });
  assert.ok(last.type === "end");
  assert.equal(plainText(last.reply.blocks), "The answer.");
  assert.match(last.reply.warnings.join(), /no more turns/);
  const [first] = turns;
  const silent = scriptedClient({
    ref,
    turns: first === undefined ? [] : [first],
    clock: fakeClock(),
  });
  assert.equal(await said(silent, after(1, ref)), "The script has no more turns.");
});

test("a fault happens as often as it says, then the turn goes right", async () => {
  const fault = { type: "status", status: 529, times: 2 } as const;
  await using server = await startScriptedServer({ turns: [{ text: "ok", fault }] });
  const client = anthropicClient({ apiKey: null, baseUrl: server.url, clock: fakeClock() });
  const ends = [await ask(client), await ask(client), await ask(client)];
  assert.deepEqual(
    ends.map((end) => (end.type === "failure" ? end.failure.class : end.type)),
    ["overloaded", "overloaded", "end"],
  );
});

test("pauses of a fault take their time on the given clock", async () => {
  const clock = fakeClock();
  const fault = [
    { type: "late", ms: 1000 },
    { type: "slow", ms: 100 },
  ] as const;
  const client = scriptedClient({ ref: "scripted/x", turns: [{ text: "ok", fault }], clock });
  const asking = ask(client);
  await clock.advance(60_000);
  assert.equal((await asking).type, "end");
  assert.equal(clock.sleeping, 0);
});

test("the stream is what the real API sends", async () => {
  await using server = await startScriptedServer({
    turns: [{ thinking: "Hm.", text: "Hi 😀", calls: [{ tool: "read", input: { path: "a" } }] }],
  });
  const body = JSON.stringify({
    model: "claude-x",
    max_tokens: 9,
    stream: true,
    messages: [{ role: "user", content: "Go." }],
  });
  const sent = httpRequest(`${server.url}/v1/messages?beta=true`, { method: "POST" }).end(body);
  const [response] = (await once(sent, "response")) as [
    AsyncIterable<Buffer> & { headers: object },
  ];
  let raw = "";
  for await (const part of response) raw += part.toString();
  const events = [...raw.matchAll(/^event: (.*)$/gm)].map(([, name]) => name).join(" ");
  const block = (deltas: number): string =>
    `content_block_start ${"content_block_delta ".repeat(deltas)}content_block_stop`;
  assert.equal(
    events,
    `message_start ping ${block(2)} ${block(1)} ${block(2)} message_delta message_stop`,
  );
  assert.match(raw, /"stop_reason":"tool_use"/);
});

test("requests the real API refuses are refused, and written down", async () => {
  await using server = await startScriptedServer({ turns });
  const post = async (path: string, body: string): Promise<number | undefined> => {
    const sent = httpRequest(server.url + path, { method: "POST" }).end(body);
    const [response] = (await once(sent, "response")) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  };
  assert.equal(await post("/v1/messages", "no json"), 400);
  assert.equal(await post("/v1/complete", "{}"), 404);
  assert.deepEqual(
    server.requests.map(({ turn, problems }) => [turn, problems.length > 0]),
    [
      [null, true],
      [null, true],
    ],
  );
});

const valid = {
  model: "m",
  max_tokens: 10,
  stream: true,
  tools: [{ name: "read", input_schema: { type: "object" } }],
  messages: [{ role: "user", content: "Go." }],
};
const called = {
  role: "assistant",
  content: [{ type: "tool_use", id: "t", name: "read", input: {} }],
};
const answer = (more: object = {}): object => ({ type: "tool_result", tool_use_id: "t", ...more });
const userSays = (...content: readonly unknown[]): object => ({ role: "user", content });

for (const [says, change] of [
  [
    /`tool_use` ids were found without `tool_result`/,
    { messages: [...valid.messages, called, userSays({ type: "text", text: "x" })] },
  ],
  [/`tool_use` ids were found without `tool_result`/, { messages: [...valid.messages, called] }],
  [/unexpected `tool_use_id`/, { messages: [userSays(answer())] }],
  [/single result/, { messages: [...valid.messages, called, userSays(answer(), answer())] }],
  [
    /before any other content/,
    { messages: [...valid.messages, called, userSays({ type: "text", text: "x" }, answer())] },
  ],
  [
    /cannot be empty if `is_error`/,
    { messages: [...valid.messages, called, userSays(answer({ is_error: true }))] },
  ],
  [
    /must be type "text" if "is_error"/,
    {
      messages: [
        ...valid.messages,
        called,
        userSays(
          answer({
            is_error: true,
            content: [{ type: "image", source: { media_type: "image/png", data: "x" } }],
          }),
        ),
      ],
    },
  ],
  [
    /ids must be unique/,
    { messages: [...valid.messages, called, userSays(answer()), called, userSays(answer())] },
  ],
  [/non-whitespace text/, { messages: [userSays({ type: "text", text: " " })] }],
  [/non-empty content/, { messages: [userSays()] }],
  [/at least one message/, { messages: [] }],
  [
    /first message must use the user role/,
    { messages: [{ role: "assistant", content: "x" }, ...valid.messages] },
  ],
  [/roles must alternate/, { messages: [...valid.messages, ...valid.messages] }],
  [/prefill/, { messages: [...valid.messages, { role: "assistant", content: "x" }] }],
  [
    /cannot be `thinking`/,
    {
      messages: [
        ...valid.messages,
        { role: "assistant", content: [{ type: "thinking", thinking: "", signature: "s" }] },
        ...valid.messages,
      ],
    },
  ],
  [
    /Invalid `signature`/,
    {
      messages: [
        ...valid.messages,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "" },
            { type: "text", text: "x" },
          ],
        },
        ...valid.messages,
      ],
    },
  ],
  [
    /must define tools/,
    { tools: undefined, messages: [...valid.messages, called, userSays(answer())] },
  ],
  [/tools: List should have at least 1 item/, { tools: [] }],
  [/Tool names must be unique/, { tools: [...valid.tools, ...valid.tools] }],
  [/only be specified while providing tools/, { tools: undefined, tool_choice: { type: "none" } }],
  [/max_tokens/, { max_tokens: 0 }],
  [/budget_tokens/, { thinking: { type: "enabled", budget_tokens: 10 } }],
  [/Extra inputs/, { maxTokens: 10 }],
  [/low surrogate/, { messages: [userSays({ type: "text", text: "x\ud83d" })] }],
  [
    /maximum of 4 blocks/,
    { system: Array.from({ length: 5 }, () => ({ type: "text", text: "x", cache_control: {} })) },
  ],
  [
    /String should match pattern/,
    {
      messages: [
        ...valid.messages,
        { role: "assistant", content: [{ type: "tool_use", id: "a|b", name: "read", input: {} }] },
        userSays({ type: "tool_result", tool_use_id: "a|b" }),
      ],
    },
  ],
] as const) {
  test(`a request is refused: ${says.source}`, () => {
    const body: unknown = JSON.parse(JSON.stringify({ ...valid, ...change }));
    assert.match(requestProblems(body).join("\n"), says);
  });
}

test("a good request has no problems, and no body makes the check throw", () => {
  assert.deepEqual(requestProblems(valid), []);
  for (const body of [
    null,
    1,
    [],
    {},
    { messages: [null, 1, { content: [null, 7] }] },
    { tools: [null], system: [1] },
  ]) {
    assert.ok(requestProblems(body).length > 0);
  }
});

for (const [says, script] of [
  [/it is not an object/, 7],
  [/turn is not known here/, { turn: [] }],
  [/turns\[0\]\.call is not known here/, { turns: [{ call: [] }] }],
  [/turns\[0\]\.text is not a string/, { turns: [{ text: 7 }] }],
  [/turns\[1\]\.calls\[0\]\.tool is missing/, { turns: [{}, { calls: [{ input: {} }] }] }],
  [
    /turns\[0\]\.calls\[0\]\.input is not an object/,
    { turns: [{ calls: [{ tool: "x", input: [] }] }] },
  ],
  [/turns\[0\]\.fault\.type is none of cut/, { turns: [{ fault: { type: "explode" } }] }],
  [/turns\[0\]\.fault\[0\]\.ms is missing/, { turns: [{ fault: [{ type: "slow" }] }] }],
  [/turns\[0\]\.fault\.bites is not known here/, { turns: [{ fault: { type: "cut", bites: 7 } }] }],
] as const) {
  test(`a script is refused with its place: ${says.source}`, () => {
    assert.throws(
      () => parseScript(script, "x.json"),
      (error) => isPawlError(error, "script_invalid") && says.test(error.message),
    );
  });
}

test("a port that is taken is said", async () => {
  await using server = await startScriptedServer({ turns });
  await assert.rejects(
    startScriptedServer({ turns, port: Number(new URL(server.url).port) }),
    (error) => isPawlError(error, "port_in_use"),
  );
});

test("a light server gives its turns out in order and keeps no bodies", async () => {
  await using server = await startScriptedServer({ turns, checks: "light" });
  const client = anthropicClient({ apiKey: null, baseUrl: server.url, clock: fakeClock() });
  assert.equal(await said(client, request), "tool_use");
  assert.equal(await said(client, request), "The answer.");
  assert.deepEqual(
    server.requests.map(({ bodyText }) => bodyText),
    ["", ""],
  );
});

test("references lead to clients: files, known providers, and plain words for the rest R113", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-models-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const script = { turns, price: { input: 2, output: 4 }, window: 9000 };
  writeFileSync(join(folder, "x.json"), `\uFEFF${JSON.stringify(script)}`);
  writeFileSync(join(folder, "bad.json"), "{");
  const models = modelClients({ providers: {}, cwd: folder, clock: fakeClock() });
  assert.equal(models("scripted/x.json"), models("scripted/x.json"), "one client a reference");
  assert.ok(models(`scripted/${join(folder, "x.json")}`));
  assert.deepEqual(modelFacts("scripted/x.json", { cwd: folder }), {
    known: true,
    window: 9000,
    maxOutputTokens: null,
    price: { input: 2, output: 4, cacheRead: null, cacheWrite: null },
    tools: "native",
    images: "taken",
    thinking: "reasoning_effort",
  });
  for (const [ref, code] of [
    ["scripted/none.json", "script_unreadable"],
    ["scripted/bad.json", "script_invalid"],
    ["anthropic/claude-x", "no_api_key"],
    ["openai/gpt", "no_api_key"],
    ["gemini/gemini-3", "no_api_key"],
    ["nobody/x", "unknown_model"],
    ["claude", "unknown_model"],
    ["anthropic/", "unknown_model"],
    ["", "unknown_model"],
  ] as const) {
    assert.throws(
      () => models(ref),
      (error) => isPawlError(error, code),
      ref,
    );
  }
  const keyed = { providers: { anthropic: { apiKey: "sk-x" } }, cwd: folder, clock: fakeClock() };
  assert.ok(modelClients(keyed)("anthropic/claude-x"));
});

test("a script can be served by a small program that prints its address", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-models-"));
  const file = join(folder, "x.json");
  writeFileSync(file, JSON.stringify({ turns }));
  const program = join(import.meta.dirname, "../../../src/testing/serve-script.ts");
  const child = spawn(process.execPath, [program, file]);
  context.after(() => {
    child.kill();
    rmSync(folder, { recursive: true });
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const client = anthropicClient({
    apiKey: null,
    baseUrl: line.toString().trim(),
    clock: fakeClock(),
  });
  assert.equal(await said(client, request), "tool_use");
});
