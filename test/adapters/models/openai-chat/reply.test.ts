import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { judgeReply, type AssistantBlock, type JsonObject, type ReplyBlock } from "#core";
import {
  brief,
  calls,
  callsOf,
  chunk,
  entry,
  failureTo,
  finish,
  lastOf,
  readAll,
  replyTo,
  stream,
  usage,
  type Frame,
} from "./chatting.ts";

const readCall = (args = '{"p":1}'): JsonObject =>
  calls(entry({ index: 0, id: "a", name: "read", args }));

for (const [label, reason] of [
  ["stop", "end_turn"],
  ["eos", "end_turn"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["length", "max_tokens"],
  ["MAX_TOKENS", "max_tokens"],
  ["content_filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["model_context_window_exceeded", "context_window"],
  ["refusal", "refusal"],
  ["taking_a_walk", "unknown"],
] as const) {
  test(`R4 R9 finish_reason "${label}" is ${reason}, its label kept [W16]`, async () => {
    const reply = await replyTo([chunk({ content: "hi" }), finish(label)]);
    assert.deepEqual(reply.stop, { reason, raw: label });
  });
}

test("without a label the end mark and the content decide; empty labels are none [W16]", async () => {
  const text = await replyTo([chunk({ content: "hi" }), finish(""), finish(null)]);
  assert.deepEqual(text.stop, { reason: "end_turn", raw: null });
  const call = await replyTo([readCall(), finish(undefined)]);
  assert.deepEqual(call.stop, { reason: "tool_use", raw: null });
});

test("a label that is no string does no harm [W16]", async () => {
  const reply = await replyTo([chunk({ content: "hi" }), finish({ odd: 1 })]);
  assert.deepEqual(reply.stop, { reason: "unknown", raw: '{"odd":1}' });
});

test("a label that comes again may not weaken a limit or a filter", async () => {
  const weaker = await replyTo([chunk({ content: "h" }), finish("length"), finish("stop")]);
  assert.equal(weaker.stop.reason, "max_tokens");
  const stronger = await replyTo([chunk({ content: "h" }), finish("stop"), finish("length")]);
  assert.equal(stronger.stop.reason, "max_tokens");
});

/** What core makes of a reply: the calls it would run. */
function runnable(
  reply: { readonly blocks: readonly ReplyBlock[] } & Parameters<typeof stopOf>[0],
) {
  const blocks = reply.blocks.map(
    (block, index) => ({ ...block, call: `r1-${index}` }) as AssistantBlock,
  );
  const { next, refused } = judgeReply(blocks, stopOf(reply));
  return next === "run" ? callsOf(reply).length - Object.keys(refused).length : 0;
}
const stopOf = ({ stop }: { readonly stop: Parameters<typeof judgeReply>[1] }) => stop;

test("R93 at the output limit no call runs, however whole its arguments look [P10]", async () => {
  const whole = await replyTo([readCall(), finish("length")]);
  assert.equal(runnable(whole), 0);
  assert.deepEqual(
    callsOf(whole).map(({ complete, problem }) => [complete, problem]),
    [[false, null]],
  );
  const half = await replyTo([readCall('{"p'), finish("length")]);
  assert.equal(runnable(half), 0);
});

for (const label of ["stop", "tool_calls", null]) {
  test(`a server that hides the limit behind ${label} is caught by its count [P10]`, async () => {
    const frames = [
      readCall(),
      finish(label),
      usage({ prompt_tokens: 9, completion_tokens: 1000 }),
    ];
    const reply = await replyTo(frames);
    assert.deepEqual(reply.stop, { reason: "max_tokens", raw: label });
    assert.equal(runnable(reply), 0);
    assert.equal(reply.warnings.length, 1);
    const below = await replyTo(frames, { request: { maxOutputTokens: 1001 } });
    assert.equal(runnable(below), 1);
    // More than was allowed: this server does not know the limit.
    const above = await replyTo(frames, { request: { maxOutputTokens: 999 } });
    assert.equal(runnable(above), 1);
  });
}

test("complete calls win over `stop`; a filter wins over calls", async () => {
  assert.equal(runnable(await replyTo([readCall(), finish("stop")])), 1);
  assert.equal(runnable(await replyTo([readCall(), finish("content_filter")])), 0);
});

test("calls are announced once, at the end, when no later label can take them back", async () => {
  const chunks = await readAll({
    body: stream([chunk({ content: "Hm." }), readCall(), finish("tool_calls"), "[DONE]"]),
  });
  assert.deepEqual(
    chunks.map((one) => (one.type === "block" ? [one.type, one.index] : one.type)),
    ["text", "call", ["block", null], ["block", 0], "end"],
  );
});

test("thinking stands before the text of one chunk, and is read once [P17]", async () => {
  const chunks = await readAll({
    body: stream([
      chunk({ content: "Yes", reasoning: "Hm", reasoning_content: "Hm" }),
      chunk({ reasoning: "m", reasoning_content: "m", reasoning_details: [{ text: "m" }] }),
      chunk({ content: "." }),
      finish("stop"),
      "[DONE]",
    ]),
  });
  const shown = chunks.flatMap((one) => ("delta" in one ? [[one.type, one.delta]] : []));
  assert.deepEqual(shown, [
    ["thinking", "Hm"],
    ["text", "Yes"],
    ["thinking", "m"],
    ["text", "."],
  ]);
});

for (const [title, delta] of [
  ["reasoning_content", { reasoning_content: "Hm." }],
  ["reasoning", { reasoning: "Hm." }],
  ["reasoning_text", { reasoning_text: "Hm." }],
  ["reasoning beside an empty reasoning_content", { reasoning_content: "", reasoning: "Hm." }],
  ["reasoning_details alone", { reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }],
  [
    "a thinking part",
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] },
  ],
  ["a thinking part that is a string", { content: [{ type: "thinking", thinking: "Hm." }] }],
] as const) {
  test(`thinking comes as ${title}`, async () => {
    const reply = await replyTo([chunk(delta), chunk({ content: "Ok." }), finish("stop")]);
    assert.deepEqual(
      reply.blocks.map((block) => [block.type, "text" in block && block.text]),
      [
        ["thinking", "Hm."],
        ["text", "Ok."],
      ],
    );
  });
}

test("text comes as a list of parts, in the first chunk, and around calls", async () => {
  const reply = await replyTo([
    chunk({ role: "assistant", content: "One " }),
    chunk({ content: [{ type: "text", text: "two" }, { type: "odd" }, null] }),
    readCall(),
    chunk({ content: "three" }),
    finish("tool_calls"),
  ]);
  assert.deepEqual(
    reply.blocks.map((block) => (block.type === "text" ? block.text : block.type)),
    ["One two", "tool_use", "three"],
  );
});

test("a refusal is text and ends the run as refused", async () => {
  const reply = await replyTo([chunk({ refusal: "I will not." }), finish("stop")]);
  assert.deepEqual(reply.blocks, [{ type: "text", text: "I will not." }]);
  assert.deepEqual(reply.stop, { reason: "refusal", raw: "stop" });
});

test("only the first choice that speaks is read; chunks without choices say nothing [P08]", async () => {
  const other = { choices: [{ index: 1, delta: { content: "no" }, finish_reason: "length" }] };
  const reply = await replyTo([
    { choices: [], model: "", prompt_filter_results: [] },
    { model: "real" },
    chunk({ content: "yes" }),
    other,
    finish("stop"),
  ]);
  assert.deepEqual(reply.blocks, [{ type: "text", text: "yes" }]);
  assert.equal(reply.stop.reason, "end_turn");
  assert.equal(reply.model, "real");
});

for (const [title, frames, expected] of [
  [
    "a last chunk without choices",
    [usage({ prompt_tokens: 9, completion_tokens: 3 })],
    [9, 3, 0, 0],
  ],
  [
    "the choice (Kimi)",
    [chunk({}, { usage: { prompt_tokens: 9, completion_tokens: 3, cached_tokens: 4 } })],
    [5, 3, 4, 0],
  ],
  [
    "x_groq",
    [{ choices: [], x_groq: { usage: { prompt_tokens: 9, completion_tokens: 3 } } }],
    [9, 3, 0, 0],
  ],
  [
    "every chunk, as totals so far",
    [
      usage({ prompt_tokens: 9, completion_tokens: 1 }),
      usage({ prompt_tokens: 9, completion_tokens: 2 }),
      usage({ prompt_tokens: 9, completion_tokens: 3 }),
    ],
    [9, 3, 0, 0],
  ],
  [
    "a last chunk that has forgotten the input",
    [
      usage({
        prompt_tokens: 9,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 4 },
      }),
      usage({ prompt_tokens: 0, completion_tokens: 3 }),
      usage({ completion_tokens: 0 }),
      { choices: [], usage: null },
    ],
    [5, 3, 4, 0],
  ],
  [
    "DeepSeek's names",
    [usage({ prompt_tokens: 9, completion_tokens: 3, prompt_cache_hit_tokens: 4 })],
    [5, 3, 4, 0],
  ],
  [
    "OpenRouter's names",
    [
      usage({
        prompt_tokens: 9,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      }),
    ],
    [3, 3, 4, 2],
  ],
  [
    "words instead of numbers",
    [usage({ prompt_tokens: "9", completion_tokens: -3 })],
    [0, 0, 0, 0],
  ],
] as const) {
  test(`usage comes in ${title} [P08]`, async () => {
    const reply = await replyTo([chunk({ content: "hi" }), finish("stop"), ...frames]);
    const [input, output, cacheRead, cacheWrite] = expected;
    assert.deepEqual(reply.usage, { input, output, cacheRead, cacheWrite });
  });
}

test("tokens of thinking that are counted beside the output belong to it (xAI)", async () => {
  const counts = {
    prompt_tokens: 9,
    completion_tokens: 3,
    completion_tokens_details: { reasoning_tokens: 5 },
  };
  const frames = [chunk({ content: "hi" }), finish("stop"), usage(counts)];
  assert.equal((await replyTo(frames, { provider: "xai" })).usage.output, 8);
  assert.equal((await replyTo(frames)).usage.output, 3);
});

test("a stream that closes without a label and an end mark is truncated [P14]", async () => {
  const { failure, blocks } = await failureTo([chunk({ content: "The fix is" }), readCall()]);
  assert.equal(failure.class, "truncated");
  assert.deepEqual(
    blocks.map((block) => block.type === "tool_use" && block.complete),
    [false, false],
  );
  assert.equal((await failureTo([])).failure.class, "truncated");
});

test("an end mark behind nothing is no reply [P14]", async () => {
  assert.equal((await failureTo(["[DONE]"])).failure.class, "truncated");
  assert.equal(
    (await failureTo([chunk({ role: "assistant" }), "[DONE]"])).failure.class,
    "truncated",
  );
});

test("a label is enough: the end mark is not needed, and what follows it does not count", async () => {
  const body = stream([chunk({ content: "hi" }), finish("stop")]);
  assert.equal((await lastOf({ body })).type, "end");
  const after = await lastOf({
    body: `${body}data: [DONE]\n\n${stream([chunk({ content: "x" })])}`,
  });
  assert.ok(after.type === "end");
  assert.deepEqual(after.reply.blocks, [{ type: "text", text: "hi" }]);
});

for (const [title, frames, kind] of [
  [
    "an error object",
    [{ error: { message: "Overloaded", type: "overloaded_error" } }],
    "overloaded",
  ],
  ["an error text", [{ error: "something broke" }], "server"],
  [
    "the status of the server behind",
    [{ error: { code: 502, message: "Provider error" } }],
    "server",
  ],
  ["status 429", [{ error: { code: 429, message: "Provider error" } }], "rate_limit"],
  ["a status that is final", [{ error: { code: 400, message: "No." } }], "invalid_request"],
  ["an error in the choice", [chunk({}, { error: { code: 502, message: "x" } })], "server"],
  ["an object called error", [{ object: "error", message: "no", code: 500 }], "server"],
  ["nothing but a detail", [{ detail: "Internal Server Error" }], "server"],
  [
    "an error behind the label",
    [finish("stop"), { error: { message: "late", code: 500 } }],
    "server",
  ],
  ["the label error", [finish("error")], "server"],
  ["the label network_error (GLM)", [finish("network_error")], "server"],
  [
    "the label insufficient_system_resource",
    [finish("insufficient_system_resource")],
    "overloaded",
  ],
] as const) {
  test(`${title} ends the reply as ${kind}, with what had come`, async () => {
    const { failure, blocks } = await failureTo([chunk({ content: "Hm" }), readCall(), ...frames]);
    assert.equal(failure.class, kind, failure.message);
    assert.equal(failure.status, null);
    assert.equal(blocks.length, 2);
  });
}

test("an event named error is one, whatever it holds", async () => {
  const body = `${stream([chunk({ content: "Hm" })])}event: error\ndata: {"message":"broke"}\n\n`;
  const last = await lastOf({ body });
  assert.ok(last.type === "failure");
  assert.match(last.failure.message, /broke the reply off with an error: broke\./);
});

test("usage beside an error counts", async () => {
  const last = await failureTo([
    { ...usage({ prompt_tokens: 9, completion_tokens: 3 }), error: { message: "x" } },
  ]);
  assert.deepEqual(last.usage, { input: 9, output: 3, cacheRead: 0, cacheWrite: 0 });
});

test("a frame that cannot be read ends the reply as truncated, until its label has come", async () => {
  const damaged = await failureTo([chunk({ content: "a" }), '{"choices":[{"del', finish("stop")]);
  assert.equal(damaged.failure.class, "truncated");
  const late = await replyTo([chunk({ content: "a" }), finish("stop"), '{"choi']);
  assert.equal(late.stop.reason, "end_turn");
});

const whole = {
  id: "c",
  object: "chat.completion",
  model: "m",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: "Reading.",
        reasoning_content: "Hm.",
        tool_calls: [
          { id: "a", type: "function", function: { name: "read", arguments: '{"p":1}' } },
          { id: "a", type: "function", function: { name: "read", arguments: '{"p":2}' } },
        ],
      },
      finish_reason: "tool_calls",
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 3 },
};

for (const contentType of ["application/json", "text/event-stream", "text/plain"]) {
  test(`a reply in one document is a stream of one chunk, as ${contentType}`, async () => {
    const last = await lastOf({ body: ` \n${JSON.stringify(whole)}`, contentType });
    assert.ok(last.type === "end", JSON.stringify(last));
    assert.deepEqual(brief(last.reply), [
      ["a", "read", { p: 1 }],
      ["a", "read", { p: 2 }],
    ]);
    assert.deepEqual(
      last.reply.blocks.map(({ type }) => type),
      ["thinking", "text", "tool_use", "tool_use"],
    );
    assert.equal(runnable(last.reply), 2);
  });
}

test("a document is judged like a stream: at the limit nothing runs, cut it is truncated", async () => {
  const cut = JSON.parse(JSON.stringify(whole).replace('"tool_calls"}', '"length"}')) as object;
  const limited = await lastOf({ body: JSON.stringify(cut), contentType: "application/json" });
  assert.ok(limited.type === "end" && limited.reply.stop.reason === "max_tokens");
  assert.equal(runnable(limited.reply), 0);
  const half = await lastOf({
    body: JSON.stringify(whole).slice(0, 200),
    contentType: "application/json",
  });
  assert.ok(half.type === "failure" && half.failure.class === "truncated");
});

test("an error document with status 200 is a failure of its kind", async () => {
  const body = JSON.stringify({ error: { message: "no streams here", code: 400 } });
  const last = await lastOf({ body, contentType: "application/json" });
  assert.ok(last.type === "failure");
  assert.equal(last.failure.class, "invalid_request");
  const html = await lastOf({ body: "<html>Welcome</html>", contentType: "text/html" });
  assert.ok(html.type === "failure");
  assert.match(html.failure.message, /answered without a stream: Welcome/);
});

test("a stream that is called JSON is a stream", async () => {
  const body = stream([chunk({ content: "hi" }), finish("stop"), "[DONE]"]);
  assert.equal((await lastOf({ body, contentType: "application/json" })).type, "end");
});

test("half of a character in the last chunk becomes U+FFFD, and nothing worse [P01]", async () => {
  const bytes = Buffer.from(stream([chunk({ content: "é" }), finish("stop")]));
  for (let at = 0; at < bytes.length; at += 7) {
    assert.ok(["end", "failure"].includes((await lastOf({ body: bytes.subarray(0, at) })).type));
  }
});

test("2 MB of arguments in 20,000 deltas cost less than a second of CPU [P16]", async () => {
  const count = 20_000;
  const piece = "x".repeat(100);
  const frames = [
    calls(entry({ index: 0, id: "a", name: "write", args: '{"content":"' })),
    ...Array.from({ length: count }, () => calls(entry({ index: 0, args: piece }))),
    calls(entry({ index: 0, args: '"}' })),
    finish("tool_calls"),
    "[DONE]",
  ];
  const body = stream(frames);
  const before = process.cpuUsage();
  const last = await lastOf({ body });
  const { user, system } = process.cpuUsage(before);
  assert.ok(last.type === "end");
  assert.deepEqual(callsOf(last.reply)[0]?.input, { content: piece.repeat(count) });
  assert.ok((user + system) / 1e6 < 1, `${(user + system) / 1e6} s`);
});

test("arguments whose every delta repeats the name, or all that came, stay linear [P16]", async () => {
  const named = (args: string): JsonObject =>
    calls(entry({ index: 0, id: "a", name: "write", args }));
  const pieces = Array.from({ length: 5000 }, () => named("y".repeat(100)));
  const tail = Array.from({ length: 5000 }, () => named("}"));
  const before = process.cpuUsage();
  await lastOf({
    body: stream([named('{"c":"'), ...pieces, named('"}'), ...tail, finish("stop")]),
  });
  const { user, system } = process.cpuUsage(before);
  assert.ok((user + system) / 1e6 < 1.5, `${(user + system) / 1e6} s`);
});

const odd: fc.Arbitrary<Frame> = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.string(),
  fc
    .record({ content: fc.anything({ maxDepth: 2 }), tool_calls: fc.anything({ maxDepth: 3 }) })
    .map((delta) => chunk(JSON.parse(JSON.stringify(delta)) as JsonObject)),
  fc
    .record({
      index: fc.integer({ min: 0, max: 2 }),
      id: fc.constantFrom("a", "b", "", null),
      name: fc.constantFrom("read", "re", "", "list"),
      args: fc.constantFrom("{", "}", '"', "{}", '{"p":1}', null),
    })
    .map((parts) => calls(entry(parts))),
  fc.constantFrom<Frame>(finish("stop"), finish("length"), finish("tool_calls"), "[DONE]"),
);

test("whatever the frames, a reply ends exactly once and nothing is thrown", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { maxLength: 12 }), async (frames) => {
      const chunks = await readAll({ body: stream(frames) });
      const ends = chunks.filter(({ type }) => type === "end" || type === "failure");
      assert.equal(ends.length, 1);
      assert.equal(ends[0], chunks.at(-1));
    }),
    { numRuns: 60 },
  );
});
