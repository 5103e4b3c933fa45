import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject, ReplyBlock } from "#core";
import type { ModelChunk, Reply } from "#runtime";
import { fakeClock, scriptedClient, type Fault } from "#testing";
import { request } from "./asking.ts";
import { damaged } from "./played.ts";

type Frame = JsonObject | string;

const stream = (frames: readonly Frame[]): string =>
  frames
    .map((frame) => `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`)
    .join("");

/** What the reader makes of bytes: the in-process scripted model plays them through it. */
async function read(
  sse: string | Uint8Array,
  fault: readonly Fault[] = [],
): Promise<readonly ModelChunk[]> {
  const client = scriptedClient({ ref: "scripted/x", turns: [{ sse, fault }], clock: fakeClock() });
  const chunks: ModelChunk[] = [];
  const { signal } = new AbortController();
  for await (const chunk of client.stream(request, { signal })) chunks.push(chunk);
  return chunks;
}

async function replyTo(frames: readonly Frame[]): Promise<Reply> {
  const last = (await read(stream(frames))).at(-1);
  assert.ok(last?.type === "end", JSON.stringify(last));
  return last.reply;
}

const begin = (usage: JsonObject = { input_tokens: 9, output_tokens: 1 }): JsonObject => ({
  type: "message_start",
  message: { id: "m1", model: "claude-x", usage },
});
const open = (index: number, block: JsonObject): JsonObject => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const delta = (index: number, change: JsonObject): JsonObject => ({
  type: "content_block_delta",
  index,
  delta: change,
});
const close = (index: number): JsonObject => ({ type: "content_block_stop", index });
const stop = (reason: unknown, usage: JsonObject = { output_tokens: 5 }): JsonObject => ({
  type: "message_delta",
  delta: { stop_reason: reason as string },
  usage,
});
const end: JsonObject = { type: "message_stop" };
const text = (index: number, content: string): readonly JsonObject[] => [
  open(index, { type: "text", text: "" }),
  delta(index, { type: "text_delta", text: content }),
  close(index),
];
const call = (index: number, json: string, id = `toolu_${index}`): readonly JsonObject[] => [
  open(index, { type: "tool_use", id, name: "read", input: {} }),
  delta(index, { type: "input_json_delta", partial_json: json }),
  close(index),
];

for (const [raw, reason] of [
  ["end_turn", "end_turn"],
  ["stop_sequence", "stop_sequence"],
  ["tool_use", "tool_use"],
  ["max_tokens", "max_tokens"],
  ["pause_turn", "pause_turn"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "context_window"],
  ["sensitive", "content_filter"],
  ["", "unknown"],
  ["new_value", "unknown"],
] as const) {
  test(`R4 R9 stop reason "${raw}" is ${reason}, its label kept [W16]`, async () => {
    const reply = await replyTo([begin(), ...text(0, "hi"), stop(raw), end]);
    assert.deepEqual(reply.stop, { reason, raw });
  });
}

test("a stop reason that is no string does no harm [W16]", async () => {
  const number = await replyTo([begin(), stop(7), end]);
  assert.deepEqual(number.stop, { reason: "unknown", raw: "7" });
  const none = await replyTo([begin(), ...text(0, "hi"), stop(null), end]);
  assert.deepEqual(none.stop, { reason: "unknown", raw: null });
});

test("a stop reason and then nothing is a whole reply; the end mark is not needed [P07]", async () => {
  const reply = await replyTo([begin(), ...text(0, "hi"), stop("end_turn")]);
  assert.deepEqual(reply.blocks, [{ type: "text", text: "hi" }]);
});

test("text and thinking inside the start of a block are kept, and shown [P11]", async () => {
  const chunks = await read(
    stream([
      begin(),
      open(0, { type: "thinking", thinking: "Hm", signature: "s1" }),
      delta(0, { type: "thinking_delta", thinking: "m." }),
      delta(0, { type: "signature_delta", signature: "s2" }),
      close(0),
      open(1, { type: "text", text: "Hel" }),
      delta(1, { type: "text_delta", text: "lo" }),
      close(1),
      stop("end_turn"),
      end,
    ]),
  );
  const last = chunks.at(-1);
  assert.ok(last?.type === "end");
  assert.deepEqual(last.reply.blocks, [
    {
      type: "thinking",
      text: "Hmm.",
      opaque: { provider: "scripted", data: { signature: "s1s2" } },
    },
    { type: "text", text: "Hello" },
  ]);
  const shown = chunks.flatMap((chunk) => ("delta" in chunk ? [chunk.delta] : []));
  assert.deepEqual(shown, ["Hm", "m.", "Hel", "lo"]);
});

test("the same message announced twice is one message", async () => {
  const chunks = await read(stream([begin(), begin(), ...text(0, "hi"), stop("end_turn"), end]));
  assert.ok(chunks.every((chunk) => chunk.type !== "restart"));
});

test("another message in the same stream begins anew, and only it counts", async () => {
  const second = { type: "message_start", message: { id: "m2", usage: { input_tokens: 4 } } };
  const cut = open(1, { type: "tool_use", id: "t", name: "read", input: {} });
  const chunks = await read(
    stream([begin(), ...text(0, "one"), cut, second, ...text(0, "two"), stop("end_turn"), end]),
  );
  const last = chunks.at(-1);
  assert.ok(last?.type === "end");
  assert.deepEqual(last.reply.blocks, [{ type: "text", text: "two" }]);
  assert.deepEqual(last.reply.usage, { input: 4, output: 5, cacheRead: 0, cacheWrite: 0 });
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ["text", "block", "call", "restart", "text", "block", "end"],
  );
});

test("the same message announced again after content has begun anew only if its indexes have", async () => {
  const goesOn = await replyTo([
    begin(),
    ...text(0, "a"),
    begin(),
    ...text(1, "b"),
    stop("end_turn"),
  ]);
  assert.equal(goesOn.blocks.length, 2);
  const anew = await replyTo([
    begin(),
    ...text(0, "a"),
    begin(),
    ...text(0, "b"),
    stop("end_turn"),
  ]);
  assert.deepEqual(anew.blocks, [{ type: "text", text: "b" }]);
});

test("a call that opens on the index of another is another call [P02]", async () => {
  const reply = await replyTo([
    begin(),
    open(0, { type: "tool_use", id: "a", name: "read", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"a"' }),
    ...call(0, '{"b":1}', "b"),
    stop("tool_use"),
    end,
  ]);
  const calls = reply.blocks.filter((block) => block.type === "tool_use");
  assert.deepEqual(
    calls.map(({ wireId, input, problem, complete }) => [wireId, input, problem, complete]),
    [
      ["a", {}, "not valid JSON", false],
      ["b", { b: 1 }, null, true],
    ],
  );
});

test("indexes may start anywhere and skip [P05]", async () => {
  const reply = await replyTo([
    begin(),
    ...call(3, '{"x":1}'),
    ...call(7, '{"x":2}'),
    stop("tool_use"),
    end,
  ]);
  assert.deepEqual(
    reply.blocks.map((block) => block.type === "tool_use" && block.input),
    [{ x: 1 }, { x: 2 }],
  );
});

test("two calls may share an id of the provider: both are there [P13]", async () => {
  const reply = await replyTo([
    begin(),
    ...call(0, "{}", "same"),
    ...call(1, "{}", "same"),
    stop("tool_use"),
    end,
  ]);
  assert.equal(reply.blocks.length, 2);
});

test("a call without an id has none", async () => {
  const reply = await replyTo([
    begin(),
    open(0, { type: "tool_use", name: "read", input: { path: "a" } }),
    close(0),
    stop("tool_use"),
    end,
  ]);
  const [block] = reply.blocks;
  assert.ok(block?.type === "tool_use");
  assert.equal(block.wireId, null);
  assert.deepEqual(block.input, { path: "a" }, "arguments in the start count when no delta comes");
});

test("a call at the output limit is complete only if its end came [P10] R93", async () => {
  const reply = await replyTo([
    begin(),
    ...call(0, '{"a":1}'),
    open(1, { type: "tool_use", id: "b", name: "write", input: {} }),
    delta(1, { type: "input_json_delta", partial_json: '{"a":1}' }),
    stop("max_tokens"),
    end,
  ]);
  const calls = reply.blocks.filter((block) => block.type === "tool_use");
  assert.deepEqual(
    calls.map(({ complete, problem }) => [complete, problem]),
    [
      [true, null],
      [false, null],
    ],
  );
});

test("what only the provider understands is kept as it came", async () => {
  const citation = { type: "web_search_result_location", url: "https://x.test", cited_text: "hi" };
  const result = { type: "web_search_tool_result", tool_use_id: "s1", content: [{ a: [1, 2] }] };
  const reply = await replyTo([
    begin(),
    open(0, { type: "redacted_thinking", data: "Eq==" }),
    close(0),
    open(1, { type: "server_tool_use", id: "s1", name: "web_search", input: {} }),
    delta(1, { type: "input_json_delta", partial_json: '{"query":' }),
    delta(1, { type: "input_json_delta", partial_json: '"x"}' }),
    close(1),
    open(2, result),
    close(2),
    open(3, { type: "text", text: "", citations: [] }),
    delta(3, { type: "text_delta", text: "hi" }),
    delta(3, { type: "citations_delta", citation }),
    close(3),
    open(4, { type: "compaction", content: null }),
    delta(4, { type: "compaction_delta", content: "The user " }),
    delta(4, { type: "compaction_delta", content: "said hi." }),
    close(4),
    open(5, { type: "tool_use", id: "t", name: "read", input: {}, caller: { type: "direct" } }),
    close(5),
    stop("tool_use"),
    end,
  ]);
  const provider = "scripted";
  const expected: readonly ReplyBlock[] = [
    { type: "opaque", provider, data: { type: "redacted_thinking", data: "Eq==" } },
    {
      type: "opaque",
      provider,
      data: { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } },
    },
    { type: "opaque", provider, data: result },
    { type: "text", text: "hi", opaque: { provider, data: { citations: [citation] } } },
    { type: "opaque", provider, data: { type: "compaction", content: "The user said hi." } },
    {
      type: "tool_use",
      wireId: "t",
      tool: "read",
      input: {},
      problem: null,
      inputText: null,
      complete: true,
      opaque: { provider, data: { caller: { type: "direct" } } },
    },
  ];
  assert.deepEqual(reply.blocks, expected);
  assert.deepEqual(reply.warnings, []);
});

test("usage counts are totals: never added up, never fallen back to 0 [P08]", async () => {
  const table = [
    [{ input_tokens: 9, cache_read_input_tokens: 4 }, { output_tokens: 5 }, [9, 5, 4, 0]],
    [{ input_tokens: 0 }, { input_tokens: 61, output_tokens: 2 }, [61, 2, 0, 0]],
    [
      { input_tokens: 9, cache_read_input_tokens: 4 },
      { input_tokens: 0, output_tokens: 2, cache_read_input_tokens: 0 },
      [9, 2, 4, 0],
    ],
    [
      { input_tokens: 9, cache_read_input_tokens: 4 },
      { input_tokens: 8, output_tokens: 2, cache_read_input_tokens: 0 },
      [8, 2, 0, 0],
    ],
    [{}, { input_tokens: -1, output_tokens: "many" }, [0, 0, 0, 0]],
    // The sum of such counts would be no number that JSON can write.
    [
      { input_tokens: 1e308, cache_read_input_tokens: 1e308 },
      { output_tokens: 1e13 },
      [0, 0, 0, 0],
    ],
  ] as const;
  for (const [first, last, expected] of table) {
    const { usage } = await replyTo([begin(first), ...text(0, "hi"), stop("end_turn", last), end]);
    assert.deepEqual(Object.values(usage), expected);
  }
});

test("oddities are skipped and said", async () => {
  const reply = await replyTo([
    { type: "telemetry", x: 1 },
    "[DONE]",
    "17",
    begin(),
    delta(7, { type: "input_json_delta", partial_json: "{}" }),
    ...text(0, "hi"),
    delta(0, { type: "text_delta", text: "late" }),
    open(1, { type: "text", text: "" }),
    delta(1, { type: "input_json_delta", partial_json: "{}" }),
    delta(1, { type: "sparkle_delta", x: 1 }),
    close(9),
    { type: "content_block_start", content_block: null },
    stop("end_turn"),
    { type: "error", error: { type: "api_error", message: "too late" } },
    end,
  ]);
  assert.deepEqual(reply.blocks, [
    { type: "text", text: "hi" },
    { type: "text", text: "" },
  ]);
  assert.equal(reply.warnings.length, 5, reply.warnings.join("; "));
});

test("why the provider refused is a warning", async () => {
  const reply = await replyTo([
    begin(),
    {
      type: "message_delta",
      delta: { stop_reason: "refusal", stop_details: { explanation: "Policy." } },
    },
    end,
  ]);
  assert.deepEqual(reply.warnings, ["the provider says: Policy."]);
});

test("a frame that cannot be read may have held part of a command: the reply is truncated [P14]", async () => {
  const frames = [begin(), ...text(0, "hi"), '{"type":"content_block_del', stop("end_turn"), end];
  const last = (await read(stream(frames))).at(-1);
  assert.ok(last?.type === "failure");
  assert.equal(last.failure.class, "truncated");
  assert.equal(last.blocks.length, 1);
});

test("an error without its type, as gateways write it, is an error", async () => {
  const bytes =
    'event: error\ndata: {"error":{"type":"rate_limit_error","message":"slow down"}}\n\n';
  const last = (await read(stream([begin()]) + bytes)).at(-1);
  assert.ok(last?.type === "failure" && last.failure.class === "rate_limit");
  assert.match(last.failure.message, /slow down/);
});

test("an error that is nothing but a text is said", async () => {
  const last = (await read(stream([begin(), { type: "error", error: "out of cheese" }]))).at(-1);
  assert.ok(last?.type === "failure" && last.failure.class === "server");
  assert.match(last.failure.message, /out of cheese/);
});

test("arguments nested without end are a problem, not a crash", async () => {
  const reply = await replyTo([
    begin(),
    ...call(0, `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
    stop("tool_use"),
    end,
  ]);
  const [block] = reply.blocks;
  assert.ok(block?.type === "tool_use");
  assert.equal(block.problem, "nested too deeply");
});

test("an event that never ends is cut off", async () => {
  const last = (await read(`data: ${"x".repeat(33 * 1024 * 1024)}`)).at(-1);
  assert.ok(last?.type === "failure" && last.failure.class === "truncated");
});

test("2 MB of arguments in 20,000 deltas take less than a second [P16]", async () => {
  const json = JSON.stringify({ content: '0123456789 \\"ab😀'.repeat(120_000) });
  const size = Math.ceil(json.length / 20_000);
  const pieces = Array.from({ length: 20_000 }, (_, index) =>
    delta(0, {
      type: "input_json_delta",
      partial_json: json.slice(index * size, (index + 1) * size),
    }),
  );
  const bytes = stream([
    begin(),
    open(0, { type: "tool_use", id: "t", name: "write", input: {} }),
    ...pieces,
    close(0),
    stop("tool_use"),
    end,
  ]);
  const before = process.cpuUsage();
  const last = (await read(bytes, [{ type: "pieces", bytes: 16_384 }])).at(-1);
  const { user, system } = process.cpuUsage(before);
  assert.ok(last?.type === "end");
  const [block] = last.reply.blocks;
  assert.ok(block?.type === "tool_use" && JSON.stringify(block.input) === json);
  assert.ok(json.length > 2_000_000);
  assert.ok((user + system) / 1000 < 1000, `${(user + system) / 1000} ms`);
});

const whole = stream([
  begin(),
  ...text(0, "你好 😀"),
  ...call(1, '{"path":"a"}'),
  ...call(2, '{"path":"b"}'),
  stop("tool_use"),
  end,
]);

test("no bytes make it throw, hang or end twice", async () => {
  await fc.assert(
    fc.asyncProperty(damaged(whole), fc.integer({ min: 1, max: 200 }), async (stream, size) => {
      const chunks = await read(stream, [{ type: "pieces", bytes: size }]);
      const ends = chunks.filter(({ type }) => type === "end" || type === "failure");
      assert.equal(ends.length, 1);
      assert.equal(ends[0], chunks.at(-1));
      JSON.stringify(chunks);
    }),
    { numRuns: 400 },
  );
});
