import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { callId, judgeReply, requestId, type JsonObject, type ReplyBlock } from "#core";
import type { ModelChunk, Reply } from "#runtime";
import { frameOf } from "../../../../src/adapters/models/openai-responses/frame.ts";
import { replyReader } from "../../../../src/adapters/models/openai-responses/reply.ts";
import { failureOfEvent } from "../../../../src/adapters/models/shared/error-answer.ts";
import { readStream } from "../../../../src/adapters/models/shared/read-stream.ts";
import { all, bytesOf, cpuMsOf, damaged, failureIn, peer, replyIn, stream } from "../played.ts";

function read(sse: string | Uint8Array, pieceBytes?: number): Promise<readonly ModelChunk[]> {
  const failureOfError = (error: JsonObject) => failureOfEvent(error, peer);
  return all(
    readStream(bytesOf(sse, pieceBytes), {
      peer,
      reader: replyReader({ model: "openai/asked", failureOfError }),
      frameOf: (event) => frameOf(event, true),
    }),
  );
}

const replyTo = async (frames: readonly (JsonObject | string)[]): Promise<Reply> =>
  replyIn(await read(stream(frames)));

const created = (id = "resp_1"): JsonObject => ({
  type: "response.created",
  response: { id, model: "gpt-x", status: "in_progress", output: [] },
});
const added = (index: number, item: JsonObject): JsonObject => ({
  type: "response.output_item.added",
  output_index: index,
  item,
});
const done = (index: number, item: JsonObject): JsonObject => ({
  type: "response.output_item.done",
  output_index: index,
  item,
});
/** A piece of a text of the item at this index. */
const delta = (kind: string, index: number, text: string): JsonObject => ({
  type: `response.${kind}.delta`,
  output_index: index,
  delta: text,
});
/** The same with a name of its item. */
const named = (item_id: string, event: JsonObject): JsonObject => ({ ...event, item_id });
const usage = { input_tokens: 10, output_tokens: 5 };
const over = (more: JsonObject = {}, type = "completed"): JsonObject => ({
  type: `response.${type}`,
  response: { id: "resp_1", model: "gpt-x", status: type, usage, ...more },
});

const said = (text: string, more: JsonObject = {}): JsonObject => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...more,
});
const message = (index: number, text: string): readonly JsonObject[] => [
  added(index, said(text, { status: "in_progress", content: [] })),
  delta("output_text", index, text),
  done(index, said(text)),
];
const callItem = (args: string, more: JsonObject = {}): JsonObject => ({
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "read",
  arguments: args,
  status: "completed",
  ...more,
});
const call = (index: number, args: string, more: JsonObject = {}): readonly JsonObject[] => [
  added(index, callItem("", { ...more, status: "in_progress" })),
  delta("function_call_arguments", index, args),
  done(index, callItem(args, more)),
];

const opaque = (data: JsonObject) => ({ provider: "openai", data });
const runnable = (reply: Reply): readonly (string | null)[] => {
  const blocks = reply.blocks.map((block, index) =>
    block.type === "tool_use" ? { ...block, call: callId(requestId(1), index) } : block,
  );
  const judged = judgeReply(blocks, reply.stop);
  return blocks.flatMap((block) =>
    block.type === "tool_use" && judged.next === "run" && !(block.call in judged.refused)
      ? [block.wireId]
      : [],
  );
};

for (const [name, end, stop] of [
  ["a whole reply", over(), { reason: "end_turn", raw: null }],
  [
    "the output limit",
    over({ incomplete_details: { reason: "max_output_tokens" } }, "incomplete"),
    { reason: "max_tokens", raw: "max_output_tokens" },
  ],
  [
    "a filter",
    over({ incomplete_details: { reason: "content_filter" } }, "incomplete"),
    { reason: "content_filter", raw: "content_filter" },
  ],
  [
    "a reason nobody knows",
    over({ incomplete_details: { reason: "taking_a_walk" } }, "incomplete"),
    { reason: "unknown", raw: "taking_a_walk" },
  ],
  ["no reason", over({ incomplete_details: null }, "incomplete"), { reason: "unknown", raw: null }],
  [
    "a reason that is no string",
    over({ incomplete_details: { reason: 7 } }, "incomplete"),
    { reason: "unknown", raw: "7" },
  ],
  ["a status nobody knows", over({ status: "resting" }), { reason: "unknown", raw: "resting" }],
  [
    "a status that is right where the event is not",
    over({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
    { reason: "max_tokens", raw: "max_output_tokens" },
  ],
] as const) {
  test(`R4 R9 ${name} is ${stop.reason}, its label kept [W16]`, async () => {
    const reply = await replyTo([created(), ...message(0, "hi"), end]);
    assert.deepEqual(reply.stop, stop);
  });
}

test("a refusal is text, and no licence to run anything [W16]", async () => {
  const refusal = said("", { content: [{ type: "refusal", refusal: "I will not." }] });
  const reply = await replyTo([
    created(),
    added(0, said("", { content: [] })),
    delta("refusal", 0, "I will not."),
    done(0, refusal),
    ...call(1, "{}"),
    over(),
  ]);
  assert.deepEqual(reply.stop, { reason: "refusal", raw: "refusal" });
  assert.equal(reply.blocks[0]?.type === "text" && reply.blocks[0].text, "I will not.");
  assert.deepEqual(runnable(reply), []);
});

test("calls, their ids and the ids of their items", async () => {
  const reply = await replyTo([
    created(),
    ...call(0, '{"path":"a"}'),
    ...call(1, '{"path":"b"}', { id: "fc_2", call_id: "call_2" }),
    over(),
  ]);
  assert.deepEqual(reply.stop, { reason: "tool_use", raw: null });
  assert.deepEqual(reply.blocks[1], {
    type: "tool_use",
    wireId: "call_2",
    tool: "read",
    input: { path: "b" },
    problem: null,
    inputText: null,
    complete: true,
    opaque: opaque({ id: "fc_2", status: "completed" }),
  });
});

test("text that stands in the start of an item or a part is kept, and shown [P11]", async () => {
  const start = said("Hel", { status: "in_progress" });
  const frames = [
    created(),
    added(0, start),
    delta("output_text", 0, "lo"),
    {
      type: "response.content_part.added",
      output_index: 0,
      content_index: 1,
      part: { type: "output_text", text: " you", annotations: [] },
    },
    over(),
  ];
  const chunks = await read(stream(frames));
  const shown = chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join("");
  assert.equal(shown, "Hello you");
  assert.deepEqual(replyIn(chunks).blocks, [{ type: "text", text: "Hello you" }]);
});

test("what deltas left out is shown when the item is told whole", async () => {
  const chunks = await read(
    stream([
      created(),
      added(0, said("", { content: [] })),
      delta("output_text", 0, "Hello"),
      done(0, said("Hello you")),
      over(),
    ]),
  );
  const shown = chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : ""));
  assert.deepEqual(shown.join(""), "Hello you");
  assert.equal(replyIn(chunks).blocks[0]?.type, "text");
});

test("a server that tells the end only, and one that leaves the texts out there", async () => {
  const told = [said("Hi."), callItem('{"path":"a"}')];
  const atEnd = await replyTo([created(), over({ output: told })]);
  assert.deepEqual(runnable(atEnd), ["call_1"]);
  assert.equal(atEnd.blocks.length, 2);
  const untold = await replyTo([
    created(),
    added(0, callItem("", { status: "in_progress" })),
    delta("function_call_arguments", 0, '{"path":"a"}'),
    over({ output: [callItem('{"path":"a"}')] }),
  ]);
  assert.deepEqual(runnable(untold), ["call_1"]);
  const empty = await replyTo([
    created(),
    added(0, said("", { content: [] })),
    delta("output_text", 0, "Hello"),
    done(0, said("", { content: [] })),
    added(1, callItem("")),
    delta("function_call_arguments", 1, '{"path":"a"}'),
    done(1, callItem("")),
    over({ output: told }),
  ]);
  assert.deepEqual(
    empty.blocks.map((block) => (block.type === "tool_use" ? block.input : block)),
    [{ type: "text", text: "Hello" }, { path: "a" }],
  );
});

test("gateways that give one item several ids: the index tells which it is", async () => {
  const reply = await replyTo([
    created(),
    added(0, callItem("", { id: "fc_a" })),
    named("fc_b", delta("function_call_arguments", 0, '{"path":')),
    named("fc_c", delta("function_call_arguments", 0, '"a"}')),
    done(0, callItem('{"path":"a"}', { id: "fc_d" })),
    over({ output: [callItem('{"path":"a"}', { id: "fc_e" })] }),
  ]);
  assert.equal(reply.blocks.length, 1);
  assert.deepEqual(runnable(reply), ["call_1"]);
});

test("a new id on a used index is another item, a known id wins over its index [P02, P05]", async () => {
  const second = { id: "fc_2", call_id: "call_2" };
  const reply = await replyTo([
    created(),
    added(7, callItem("", { status: "in_progress" })),
    added(7, callItem("", { ...second, status: "in_progress" })),
    named("fc_1", delta("function_call_arguments", 7, '{"path":"a"}')),
    named("fc_2", delta("function_call_arguments", 3, '{"path":"b"}')),
    done(7, callItem('{"path":"a"}')),
    done(7, callItem('{"path":"b"}', second)),
    over(),
  ]);
  assert.deepEqual(
    reply.blocks.map((block) => block.type === "tool_use" && [block.wireId, block.input["path"]]),
    [
      ["call_1", "a"],
      ["call_2", "b"],
    ],
  );
});

test("two calls may share an id of the provider: both are there [P13]", async () => {
  const reply = await replyTo([
    created(),
    ...call(0, '{"path":"a"}', { id: "fc_1" }),
    ...call(1, '{"path":"b"}', { id: "fc_2" }),
    over(),
  ]);
  assert.deepEqual(runnable(reply), ["call_1", "call_1"]);
});

test("at the output limit a call runs only if its end came and says nothing against it [P10] R93", async () => {
  const limit = over({ incomplete_details: { reason: "max_output_tokens" } }, "incomplete");
  const cut = { id: "fc_2", call_id: "call_2", status: "incomplete" };
  const chunks = await read(
    stream([
      created(),
      ...call(0, '{"path":"a"}'),
      added(1, callItem("", cut)),
      delta("function_call_arguments", 1, '{"path":"b"'),
      done(1, callItem('{"path":"b"', cut)),
      limit,
    ]),
  );
  assert.deepEqual(runnable(replyIn(chunks)), ["call_1"]);
  const announced = chunks.flatMap((chunk) => (chunk.type === "block" ? [chunk.index] : []));
  assert.deepEqual(announced, [0]);
  const unclosed = await replyTo([
    created(),
    added(0, callItem("", { status: "in_progress" })),
    delta("function_call_arguments", 0, '{"path":"a"}'),
    limit,
  ]);
  assert.deepEqual(runnable(unclosed), [], "whole arguments are not the end of a call");
});

test("thoughts are kept as they came, and told once however often they are sent [P17]", async () => {
  const item = { type: "reasoning", id: "rs_1", encrypted_content: "gAAA+/=\\u0000" };
  const whole = {
    ...item,
    summary: [
      { type: "summary_text", text: "One." },
      { type: "summary_text", text: "Two." },
    ],
    content: [{ type: "reasoning_text", text: "At length." }],
    status: null,
  };
  const chunks = await read(
    stream([
      created(),
      added(0, { ...item, summary: [] }),
      delta("reasoning_summary_text", 0, "One."),
      delta("reasoning_text", 0, "At length."),
      { ...delta("reasoning_summary_text", 0, "Two."), summary_index: 1 },
      done(0, whole),
      ...message(1, "Hi."),
      over(),
    ]),
  );
  const shown = chunks.map((chunk) => (chunk.type === "thinking" ? chunk.delta : "")).join("");
  assert.equal(shown, "One.\n\nTwo.");
  assert.deepEqual(replyIn(chunks).blocks[0], {
    type: "thinking",
    text: "One.\n\nTwo.",
    opaque: opaque(whole),
  });
});

test("a message of several parts is as many texts, which know their message", async () => {
  const item = said("", {
    phase: "final_answer",
    content: [
      { type: "output_text", text: "One.", annotations: [{ type: "url_citation", url: "u" }] },
      { type: "output_text", text: "Two.", annotations: [], logprobs: [{ token: "T" }] },
    ],
  });
  const reply = await replyTo([
    created(),
    added(0, said("", { content: [] })),
    done(0, item),
    over(),
  ]);
  const rest = { id: "msg_1", status: "completed", phase: "final_answer" };
  const annotations = [{ type: "url_citation", url: "u" }];
  assert.deepEqual(reply.blocks, [
    {
      type: "text",
      text: "One.",
      opaque: opaque({ ...rest, part: { type: "output_text", annotations } }),
    },
    {
      type: "text",
      text: "Two.",
      opaque: opaque({ ...rest, part: { type: "output_text", annotations: [] } }),
    },
  ]);
});

test("calls of free text and of a shell are calls; what nobody knows is kept as it came", async () => {
  const free = {
    type: "custom_tool_call",
    id: "ct_1",
    call_id: "c1",
    name: "sql",
    input: "SELECT",
  };
  const action = { type: "exec", command: ["ls"], env: {} };
  const shell = {
    type: "local_shell_call",
    id: "lsh_1",
    call_id: "c2",
    status: "completed",
    action,
  };
  const search = {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { query: "q" },
  };
  const reply = await replyTo([
    created(),
    added(0, { ...free, input: "" }),
    delta("custom_tool_call_input", 0, "SELECT"),
    done(0, free),
    added(1, { ...shell, action: { ...action, command: [] } }),
    done(1, shell),
    added(2, search),
    { type: "response.web_search_call.searching", output_index: 2 },
    done(2, search),
    over(),
  ]);
  assert.deepEqual(
    reply.blocks.map((block) => (block.type === "tool_use" ? [block.tool, block.input] : block)),
    [
      ["sql", { input: "SELECT" }],
      ["local_shell", action],
      { type: "opaque", provider: "openai", data: search },
    ],
  );
  assert.deepEqual(reply.warnings, []);
});

test("cached input is counted apart, also what was written to the cache [P08]", async () => {
  const details = { cached_tokens: 30, cache_write_tokens: 20 };
  const reply = await replyTo([
    created(),
    over({ usage: { input_tokens: 100, input_tokens_details: details, output_tokens: 7 } }),
  ]);
  assert.deepEqual(reply.usage, { input: 50, output: 7, cacheRead: 30, cacheWrite: 20 });
  const none = await replyTo([created(), over({ usage: null })]);
  assert.deepEqual(none.usage, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
});

test("another response in the same stream begins anew, the same one does not", async () => {
  const chunks = await read(
    stream([
      created(),
      ...message(0, "old"),
      created(),
      created("resp_2"),
      ...message(0, "new"),
      over(),
    ]),
  );
  assert.equal(chunks.filter(({ type }) => type === "restart").length, 1);
  assert.deepEqual(
    replyIn(chunks).blocks.map((block) => block.type === "text" && block.text),
    ["new"],
  );
});

for (const [error, kind, wait] of [
  [{ code: "rate_limit_exceeded", message: "Please try again in 11.054s." }, "rate_limit", 11_054],
  [{ code: "insufficient_quota", message: "No money." }, "billing", null],
  [{ code: "context_length_exceeded", message: "Too long." }, "context_overflow", null],
  [{ code: "server_error", message: "Oops." }, "server", null],
  [{ code: "server_is_overloaded", message: "Busy." }, "overloaded", null],
  [{ code: "invalid_prompt", message: "Flagged." }, "content_filter", null],
  [{ code: "image_too_large", message: "Big." }, "invalid_request", null],
  [{ code: null, message: "?" }, "server", null],
] as const) {
  test(`an error ${error.code} is ${kind}, whichever event tells it`, async () => {
    const begun = [created(), ...message(0, "so far")];
    const events = [
      { type: "error", ...error, param: null },
      { type: "error", error },
      { error },
      { type: "response.failed", response: { id: "resp_1", status: "failed", error } },
    ];
    for (const event of events) {
      const { failure, blocks } = failureIn(await read(stream([...begun, event, over()])));
      assert.equal(failure.class, kind, failure.message);
      assert.equal(failure.retryAfterMs, wait);
      assert.equal(blocks.length, 1, "what came is kept");
    }
  });
}

test("a response that failed or was cancelled without a word is a failure of the server", async () => {
  for (const status of ["failed", "cancelled"]) {
    const { failure } = failureIn(await read(stream([created(), over({ error: null }, status)])));
    assert.equal(failure.class, "server");
  }
});

test("damage harms nothing that is told again, and else ends the reply [P14]", async () => {
  const broken = '{"type":"response.completed","response":{"id":';
  const begun = ['{"type":"response.created","response":{', ...call(0, "{}")];
  const reply = await replyTo([...begun, broken]);
  assert.deepEqual(runnable(reply), ["call_1"]);
  assert.deepEqual(reply.warnings, ["the end of the reply could not be read"]);
  const byName = await read(`${stream(begun)}event: response.completed\ndata: {"a":\n\n`);
  assert.deepEqual(runnable(replyIn(byName)), ["call_1"]);
  for (const frame of ['{"type":"response.output_item.done","item":{', '{"delta":"x']) {
    const { failure } = failureIn(await read(stream([created(), frame, ...call(0, "{}"), over()])));
    assert.equal(failure.class, "truncated");
  }
});

test("a connection that breaks inside the last event has not ended the reply [P14]", () => {
  const data = '{"type":"response.completed","response":{"id":';
  assert.equal(frameOf({ name: null, data }, false), "damaged");
});

test("what does not fit is skipped and said", async () => {
  const reply = await replyTo([
    created(),
    { type: "response.output_item.added", output_index: 0 },
    { type: "response.output_item.done", output_index: 0 },
    delta("output_text", 9, "lost"),
    ...call(0, "{}"),
    delta("output_text", 0, "late"),
    done(0, callItem("{}")),
    added(1, said("", { content: [] })),
    delta("function_call_arguments", 1, "{}"),
    done(1, said("Hi.")),
    { type: "response.something.new", x: 1 },
    "null",
    "7",
    over(),
  ]);
  assert.equal(reply.blocks.length, 2);
  assert.deepEqual(reply.warnings, [
    "an item without content was skipped",
    "a delta for no open item was skipped",
    "an item that had ended was told again",
    "a delta that does not fit its item was skipped",
  ]);
});

test("2 MB of arguments in 20,000 deltas take less than a second [P16]", async () => {
  const json = JSON.stringify({ content: '0123456789 \\"ab😀'.repeat(120_000) });
  const size = Math.ceil(json.length / 20_000);
  const pieces = Array.from({ length: 20_000 }, (_, index) =>
    delta("function_call_arguments", 0, json.slice(index * size, (index + 1) * size)),
  );
  const bytes = Buffer.from(
    stream([created(), added(0, callItem("")), ...pieces, done(0, callItem(json)), over()]),
  );
  let block: ReplyBlock | undefined;
  const ms = await cpuMsOf(async () => {
    [block] = replyIn(await read(bytes, 16_384)).blocks;
  });
  assert.ok(block?.type === "tool_use" && JSON.stringify(block.input) === json);
  assert.ok(ms < 1000, `${ms} ms`);
});

test("no bytes make it throw, hang or end twice", async () => {
  const whole = stream([created(), ...message(0, "你好 😀"), ...call(1, '{"path":"a"}'), over()]);
  await fc.assert(
    fc.asyncProperty(damaged(whole), fc.integer({ min: 1, max: 200 }), async (bytes, size) => {
      const chunks = await read(bytes, size);
      const ends = chunks.filter(({ type }) => type === "end" || type === "failure");
      assert.deepEqual(ends, chunks.slice(-1));
      JSON.stringify(chunks);
    }),
    { numRuns: 300 },
  );
});
