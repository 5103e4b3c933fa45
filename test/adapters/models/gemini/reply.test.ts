import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { callId, judgeReply, requestId, type Json, type JsonObject, type ReplyBlock } from "#core";
import type { ModelChunk, Reply } from "#runtime";
import { frameOf } from "../../../../src/adapters/models/gemini/frame.ts";
import { replyReader } from "../../../../src/adapters/models/gemini/reply.ts";
import { readStream } from "../../../../src/adapters/models/shared/read-stream.ts";
import { all, bytesOf, cpuMsOf, damaged, failureIn, peer, replyIn, stream } from "../played.ts";

function read(sse: string | Uint8Array, pieceBytes?: number): Promise<readonly ModelChunk[]> {
  const reader = replyReader({ model: "gemini/asked", peer });
  return all(readStream(bytesOf(sse, pieceBytes), { peer, reader, frameOf }));
}

const replyTo = async (frames: readonly (JsonObject | string)[]): Promise<Reply> =>
  replyIn(await read(stream(frames)));

const parts = (...list: readonly JsonObject[]): JsonObject => ({
  candidates: [{ index: 0, content: { role: "model", parts: list } }],
  modelVersion: "gemini-x",
});
const call = (functionCall: JsonObject, more: JsonObject = {}): JsonObject =>
  parts({ functionCall, ...more });
const usage = { promptTokenCount: 10, candidatesTokenCount: 5 };
const finish = (reason: Json = "STOP", more: JsonObject = {}): JsonObject => ({
  candidates: [{ index: 0, finishReason: reason, ...more }],
  usageMetadata: usage,
});
const opaque = (data: JsonObject) => ({ provider: "gemini", data });

function runnable(reply: Reply): readonly string[] {
  const named = reply.blocks.map((block, index) =>
    block.type === "tool_use" ? { ...block, call: callId(requestId(1), index) } : block,
  );
  const judged = judgeReply(named, reply.stop);
  return named.flatMap((block) =>
    block.type === "tool_use" && judged.next === "run" && !(block.call in judged.refused)
      ? [block.tool]
      : [],
  );
}

for (const [raw, reason] of [
  ["STOP", "end_turn"],
  ["MAX_TOKENS", "max_tokens"],
  ["SAFETY", "content_filter"],
  ["RECITATION", "content_filter"],
  ["LANGUAGE", "content_filter"],
  ["BLOCKLIST", "content_filter"],
  ["PROHIBITED_CONTENT", "content_filter"],
  ["SPII", "content_filter"],
  ["OTHER", "unknown"],
  ["TOO_MANY_TOOL_CALLS", "unknown"],
  ["FINISH_REASON_UNSPECIFIED", "unknown"],
  ["", "unknown"],
  ["TAKING_A_WALK", "unknown"],
] as const) {
  test(`R4 R9 finish reason "${raw}" is ${reason}, its label kept [W16]`, async () => {
    const reply = await replyTo([parts({ text: "hi" }), finish(raw)]);
    assert.deepEqual(reply.stop, { reason, raw });
    assert.deepEqual(reply.blocks, [{ type: "text", text: "hi" }]);
  });
}

for (const [raw, kind] of [
  ["MALFORMED_FUNCTION_CALL", "bad_tool_call"],
  ["UNEXPECTED_TOOL_CALL", "bad_tool_call"],
  ["MISSING_THOUGHT_SIGNATURE", "broken_history"],
  ["MALFORMED_RESPONSE", "server"],
] as const) {
  test(`finish reason ${raw} is a failure: ${kind}, with what the provider says`, async () => {
    const finishMessage = "print(default_api.read(1))\u001b[2J sk-secret";
    const frames = [parts({ text: "so far" }), finish(raw, { finishMessage })];
    const { failure, blocks, usage: counted } = failureIn(await read(stream(frames)));
    assert.equal(failure.class, kind);
    assert.match(failure.message, new RegExp(`${raw}: print\\(default_api.read\\(1\\)\\)`));
    assert.ok(!failure.message.includes("sk-secret") && !failure.message.includes("\u001b"));
    assert.equal(blocks.length, 1);
    assert.deepEqual(counted, { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 });
  });
}

test("a refused prompt is a failure of the filter, its tokens counted", async () => {
  const frame = {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: 8 },
  };
  const { failure, usage: counted } = failureIn(await read(stream([frame])));
  assert.equal(failure.class, "content_filter");
  assert.match(failure.message, /PROHIBITED_CONTENT/);
  assert.equal(counted?.input, 8);
});

test("STOP with calls means that they run; with none it is an answer", async () => {
  const reply = await replyTo([call({ name: "read", args: { path: "a" } }), finish()]);
  assert.deepEqual(reply.stop, { reason: "tool_use", raw: "STOP" });
  assert.deepEqual(reply.blocks, [
    {
      type: "tool_use",
      wireId: null,
      tool: "read",
      input: { path: "a" },
      problem: null,
      inputText: null,
      complete: true,
    },
  ]);
});

test("at the output limit no call runs [P10] R93", async () => {
  const chunks = await read(
    stream([call({ name: "read", args: { path: "a" } }), finish("MAX_TOKENS")]),
  );
  assert.deepEqual(runnable(replyIn(chunks)), []);
});

test("thoughts and texts are told apart, pieces of one kind are one block", async () => {
  const chunks = await read(
    stream([
      parts({ text: "I ", thought: true }),
      parts({ text: "think.", thought: true }, { text: "Hel" }),
      parts({ text: "lo" }, {}),
      parts({ text: "" }),
      finish(),
    ]),
  );
  assert.deepEqual(replyIn(chunks).blocks, [
    { type: "thinking", text: "I think." },
    { type: "text", text: "Hello" },
  ]);
  assert.deepEqual(
    chunks.slice(0, -1).map((chunk) => ("delta" in chunk ? [chunk.type, chunk.delta] : [])),
    [
      ["thinking", "I "],
      ["thinking", "think."],
      ["text", "Hel"],
      ["text", "lo"],
    ],
  );
});

test("a signature stays with the part it came with, and joins no other [W02]", async () => {
  const signed = { thoughtSignature: "c2lnbg==" };
  const reply = await replyTo([
    parts({ text: "One" }),
    parts({ text: " two", ...signed }),
    parts({ text: " three" }),
    call({ name: "read", args: {} }, signed),
    call({ name: "grep", args: {} }),
    parts({ text: "", ...signed }),
    parts({ text: "", thought: true, ...signed }),
    finish(),
  ]);
  assert.deepEqual(
    reply.blocks.map((block) => (block.type === "tool_use" ? [block.tool, block.opaque] : block)),
    [
      { type: "text", text: "One" },
      { type: "text", text: " two", opaque: opaque(signed) },
      { type: "text", text: " three" },
      ["read", opaque(signed)],
      ["grep", undefined],
      { type: "opaque", ...opaque({ text: "", ...signed }) },
      { type: "opaque", ...opaque({ text: "", thought: true, ...signed }) },
    ],
  );
});

test("parts only the provider understands are kept as they came", async () => {
  const code = { executableCode: { language: "PYTHON", code: "1 + 1" }, thoughtSignature: "eA==" };
  const reply = await replyTo([parts(code, { somethingNew: { a: 1 } }), finish()]);
  assert.deepEqual(reply.blocks, [
    { type: "opaque", ...opaque(code) },
    { type: "opaque", ...opaque({ somethingNew: { a: 1 } }) },
  ]);
});

const piece = (jsonPath: string, value: JsonObject, willContinue = false): JsonObject => ({
  functionCall: {
    partialArgs: [{ jsonPath, ...value, ...(willContinue ? { willContinue } : {}) }],
    willContinue: true,
  },
});

async function putTogether(pieces: readonly JsonObject[]): Promise<ReplyBlock | undefined> {
  const reply = await replyTo([
    call({ name: "write", willContinue: true }),
    parts(...pieces),
    call({}),
    finish(),
  ]);
  return reply.blocks[0];
}

test("arguments that come piece by piece are put where their paths say", async () => {
  const block = await putTogether([
    piece("$.path", { stringValue: "a/" }, true),
    piece("$.path", { stringValue: "b" }, true),
    piece("$.path", { stringValue: "" }),
    piece("$.edits[0].old", { stringValue: "x" }),
    piece("$.edits[0]['new text']", { stringValue: "y" }),
    piece("$.edits[1]['it\\'s']", { nullValue: "NULL_VALUE" }),
    piece("$.count", { numberValue: 3 }),
    piece("$.deep[0][0]", { boolValue: true }),
    piece("$.__proto__.polluted", { boolValue: true }),
  ]);
  assert.ok(block?.type === "tool_use" && block.complete && block.problem === null);
  assert.equal(
    JSON.stringify(block.input),
    '{"path":"a/b","edits":[{"old":"x","new text":"y"},{"it\'s":null}],"count":3,"deep":[[true]],' +
      '"__proto__":{"polluted":true}}',
  );
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

for (const path of [
  "path",
  "$",
  "$.",
  "$..a",
  "$.a[1000000]",
  "$.a[5]",
  "$.a[-1]",
  "$.a[",
  "$['a",
  `$${".a".repeat(200)}`,
  `$.${"a".repeat(5000)}`,
  "",
]) {
  test(`a piece for ${path.slice(0, 20)} makes the call unusable, and no more`, async () => {
    const block = await putTogether([
      piece("$.a[0]", { stringValue: "x" }),
      piece(path, { stringValue: "y" }),
    ]);
    assert.ok(block?.type === "tool_use");
    assert.match(block.problem ?? "", /names a place that cannot be/);
    assert.deepEqual(block.input, {});
    assert.match(typeof block.inputText === "string" ? block.inputText : "", /y/);
  });
}

test("arguments that are no object are kept as text, with the reason", async () => {
  const reply = await replyTo([call({ name: "read", args: '{"path"' }), finish()]);
  const [block] = reply.blocks;
  assert.ok(block?.type === "tool_use");
  assert.deepEqual(
    [block.input, block.problem, block.inputText, runnable(reply)],
    [{}, "not an object", '"{\\"path\\""', []],
  );
});

test("a call that was not told to its end never runs, whatever the finish reason [P10] R93", async () => {
  const chunks = await read(
    stream([
      call({ name: "read", id: "1", willContinue: true }),
      parts(piece("$.path", { stringValue: "a" }, true)),
      call({ name: "grep", args: {} }),
      finish(),
    ]),
  );
  assert.deepEqual(runnable(replyIn(chunks)), ["grep"]);
  const announced = chunks.flatMap((chunk) => (chunk.type === "block" ? [chunk.index] : []));
  assert.deepEqual(announced, [1]);
});

test("pieces with an id belong to the call of that id, others to the one begun last [P02]", async () => {
  const of = (id: string, path: string): JsonObject => ({
    functionCall: { id, partialArgs: [{ jsonPath: "$.path", stringValue: path }] },
  });
  const reply = await replyTo([
    call({ name: "read", id: "1", willContinue: true }),
    call({ name: "grep", id: "2", willContinue: true }),
    parts(of("1", "a"), of("2", "b")),
    finish(),
  ]);
  assert.deepEqual(
    reply.blocks.map((block) => block.type === "tool_use" && [block.wireId, block.input["path"]]),
    [
      ["1", "a"],
      ["2", "b"],
    ],
  );
  assert.deepEqual(runnable(reply), ["read", "grep"]);
});

test("thoughts count as output, cached content apart; a frame without counts erases none [P08]", async () => {
  const counts = { promptTokenCount: 100, cachedContentTokenCount: 60, thoughtsTokenCount: 9 };
  const reply = await replyTo([
    { ...parts({ text: "hi" }), usageMetadata: counts },
    { ...finish(), usageMetadata: { candidatesTokenCount: 5, toolUsePromptTokenCount: 2 } },
    { usageMetadata: { trafficType: "ON_DEMAND" } },
    { usageMetadata: null, candidates: null, modelVersion: 7 },
  ]);
  assert.deepEqual(reply.usage, { input: 42, output: 14, cacheRead: 60, cacheWrite: 0 });
  assert.equal(reply.model, "gemini-x");
});

test("only the first candidate counts, and what cannot be read as one is skipped [P08]", async () => {
  const reply = await replyTo([
    { candidates: [] },
    { candidates: "none" },
    { candidates: [{ index: 1, content: { parts: [{ text: "second" }] } }, null] },
    { candidates: [{ content: { parts: [{ text: "first" }, "no part"] } }] },
    { candidates: [{ content: { parts: [{ functionCall: {} }] } }] },
    finish(),
  ]);
  assert.deepEqual(reply.blocks, [{ type: "text", text: "first" }]);
  assert.deepEqual(reply.warnings, [
    "a part that is no object was skipped",
    "a piece of no open call was skipped",
  ]);
});

test("an error in the stream is a failure of its kind, and keeps what came", async () => {
  for (const [status, kind] of [
    ["UNAVAILABLE", "overloaded"],
    ["RESOURCE_EXHAUSTED", "rate_limit"],
    ["INTERNAL", "server"],
    ["INVALID_ARGUMENT", "invalid_request"],
    ["PERMISSION_DENIED", "auth"],
  ] as const) {
    const error = { code: 503, message: "No.", status };
    const { failure, blocks } = failureIn(await read(stream([parts({ text: "hi" }), { error }])));
    assert.equal(failure.class, kind);
    assert.equal(blocks.length, 1);
  }
});

test("without a finish reason a reply is truncated, behind it damage harms nothing [P14]", async () => {
  const cut = failureIn(await read(stream([parts({ text: "hi" })])));
  assert.equal(cut.failure.class, "truncated");
  const broken = failureIn(
    await read(stream([parts({ text: "hi" }), '{"candidates":[', finish()])),
  );
  assert.equal(broken.failure.class, "truncated");
  const whole = await replyTo([parts({ text: "hi" }), finish(), '{"usageMetadata":{', "null"]);
  assert.equal(whole.stop.reason, "end_turn");
});

test("2 MB of arguments in 20,000 pieces take less than a second [P16]", async () => {
  const content = '0123456789 \\"ab😀'.repeat(120_000);
  const size = Math.ceil(content.length / 20_000);
  const pieces = Array.from({ length: 20_000 }, (_, index) =>
    parts(
      piece("$.content", { stringValue: content.slice(index * size, (index + 1) * size) }, true),
    ),
  );
  const bytes = Buffer.from(
    stream([call({ name: "write", willContinue: true }), ...pieces, call({}), finish()]),
  );
  let block: ReplyBlock | undefined;
  const ms = await cpuMsOf(async () => {
    [block] = replyIn(await read(bytes, 16_384)).blocks;
  });
  assert.ok(block?.type === "tool_use" && block.input["content"] === content);
  assert.ok(ms < 1000, `${ms} ms`);
});

test("no bytes make it throw, hang or end twice", async () => {
  const whole = stream([
    parts({ text: "你好 😀" }),
    call({ name: "write", willContinue: true }),
    parts(piece("$.a[0].b", { stringValue: "x" }, true)),
    call({}),
    finish(),
  ]);
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
