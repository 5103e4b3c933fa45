import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { callId, plainText, requestId, type JsonObject, type StopReason } from "#core";
import { textProtocol } from "#testing";
import { all, cpuMsOf } from "../played.ts";
import { brief, chunksOf, outcomeOf, request, saying } from "./said.ts";

const read =
  '<tool_calls>\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</tool_calls>';

for (const [reason, is] of [
  ["end_turn", "tool_use"],
  ["stop_sequence", "tool_use"],
  ["tool_use", "tool_use"],
  ["max_tokens", "max_tokens"],
  ["refusal", "refusal"],
  ["content_filter", "content_filter"],
  ["unknown", "unknown"],
  ["context_window", "context_window"],
  ["pause_turn", "pause_turn"],
] as const satisfies readonly (readonly [StopReason, StopReason])[]) {
  test(`a reply with calls that ended with ${reason} ends with ${is}, and keeps its label`, async () => {
    const { reply } = await outcomeOf(saying([read], { reason }));
    assert.deepEqual(reply.stop, { reason: is, raw: reason });
    assert.deepEqual(brief(reply), [["read", { path: "a" }]]);
  });
}

const cuts: readonly { readonly title: string; readonly said: string; readonly is: unknown }[] = [
  {
    title: "in a value",
    said: read.slice(0, read.indexOf("</parameter>")),
    is: [["read", {}, "cut"]],
  },
  {
    title: "behind a value",
    said: read.slice(0, read.indexOf("</invoke>")),
    is: [["read", { path: "a" }, "cut"]],
  },
  {
    title: "behind the end of a call, before that of the block",
    said: read.slice(0, read.indexOf("</tool_calls>")),
    is: [["read", { path: "a" }, "cut"]],
  },
  {
    title: "in the call after one that is whole",
    said: read.replace("</tool_calls>", '<invoke name="time">'),
    is: [
      ["read", { path: "a" }],
      ["time", {}, "cut"],
    ],
  },
];
for (const { title, said, is } of cuts) {
  test(`at the output limit, cut ${title}: what is not whole never runs [P10] R93`, async () => {
    const { reply, announced } = await outcomeOf(
      saying(Array.from(said), { reason: "max_tokens" }),
    );
    assert.deepEqual(brief(reply), is);
    assert.ok(announced.every(({ complete }) => complete));
    assert.equal(
      announced.length,
      reply.blocks.filter((b) => b.type === "tool_use" && b.complete).length,
    );
  });
}

test("R88 a call is announced as soon as the text behind it shows that it is whole", async () => {
  const time = '<invoke name="time">\n</invoke>\n';
  const pieces = [
    "<tool_calls>\n",
    time,
    '<invoke name="time">',
    "\n</invoke>",
    "\n</tool_calls>",
    ".",
  ];
  const chunks = await chunksOf(saying(pieces));
  assert.deepEqual(
    chunks.slice(0, 4).map((chunk) => (chunk.type === "block" ? chunk.index : chunk.type)),
    ["call", 0, "call", 1],
  );
});

test("calls of the wire's own stand among those of the text, in order", async () => {
  const native = {
    type: "tool_use",
    wireId: "c1",
    tool: "time",
    input: {},
    problem: null,
    inputText: null,
    complete: true,
  } as const;
  const blocks = [native, { type: "text", text: `So. ${read}` } as const];
  const { reply, announced } = await outcomeOf(saying([`So. ${read}`], { blocks }));
  assert.deepEqual(brief(reply), [["time", {}], "So.", ["read", { path: "a" }]]);
  assert.equal(announced.at(-1)?.tool, "read");
});

test("a reply without calls keeps its blocks and what is opaque in them", async () => {
  const opaque = { provider: "test", data: { id: "m" } };
  const blocks = [
    { type: "thinking", text: "Hm.", opaque } as const,
    { type: "text", text: "One.\n", opaque } as const,
    { type: "text", text: "\nTwo.", opaque } as const,
  ];
  const { reply } = await outcomeOf(saying(["One.\n\nTwo."], { blocks }));
  assert.deepEqual(reply.blocks, blocks);
});

test("a reply that begins anew is read anew", async () => {
  const wire = saying(["Hi."]);
  const chunks = await chunksOf({
    async *stream(asked, options) {
      yield { type: "text", delta: "<tool_calls>\n<invoke name=" };
      yield { type: "restart" };
      yield* wire.stream(asked, options);
    },
  });
  assert.deepEqual(
    chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : chunk.type)),
    ["restart", "Hi.", "block", "end"],
  );
});

const anyValue = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "</parameter>",
    '<parameter-2 name="x">y</parameter-2>',
    "</invoke>\n</tool_calls>",
    read,
    "```\n",
    "<think>",
    "]]>",
    "\n",
    "",
  ),
  fc
    .array(fc.constantFrom("<", "/", "parameter", ">", "-2", "\n", "a", "invoke", "`"), {
      maxLength: 12,
    })
    .map((a) => a.join("")),
);

test("whatever a text holds, what is written is read back, in pieces of any size", async () => {
  const pieceLengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(anyValue, fc.json(), pieceLengths, async (content, json, lengths) => {
      const inputs: readonly JsonObject[] = [
        { path: content, content },
        { text: content, object: { json, content }, list: [content] },
      ];
      let asked = "";
      const wire = textProtocol({
        async *stream({ messages }, options) {
          asked = JSON.stringify(messages[1]?.blocks);
          yield* saying([]).stream(request, options);
        },
      });
      const calls = inputs.map((input, index) => ({
        type: "tool_use" as const,
        call: callId(requestId(1), index),
        wireId: null,
        tool: ["write", "any"][index] ?? "",
        input,
        problem: null,
        inputText: null,
        complete: true,
      }));
      const told = {
        role: "assistant",
        model: "test/any",
        blocks: calls,
        seq: 2,
        partial: false,
      } as const;
      const messages = [...request.messages, told];
      await all(wire.stream({ ...request, messages }, { signal: new AbortController().signal }));
      const [{ text }] = JSON.parse(asked) as [{ text: string }];
      const { reply } = await outcomeOf(saying(cutInto(text, lengths)));
      assert.deepEqual(
        reply.blocks.map((block) =>
          block.type === "tool_use" ? [block.problem, block.input] : block,
        ),
        inputs.map((input) => [null, input]),
      );
    }),
    { numRuns: 300 },
  );
});

function cutInto(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

test("whatever a model says, in pieces or at once, the same is read, and text and calls are apart", async () => {
  const words = fc.constantFrom(
    "<tool_calls>",
    "</tool_calls>",
    '<invoke name="read">',
    "</invoke>",
    '<parameter name="path">',
    "</parameter>",
    '<parameter-2 name="limit">',
    "</parameter-2>",
    "<tool_call>",
    "</tool_call>",
    '{"name":"time"}',
    "{",
    '"',
    "```",
    "`",
    "~~~",
    "\n",
    " ",
    "a",
    "7",
    "<think>",
    "</think>",
    "<",
    ">",
    "/",
    "```tool_call\n",
    "\ud83d",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 25 }), async (said) => {
      const text = said.join("");
      const whole = await outcomeOf(saying([text]));
      assert.deepEqual(await outcomeOf(saying(said)), whole);
      assert.deepEqual(await outcomeOf(saying(text.split(""))), whole);
      assert.equal(plainText(whole.reply.blocks), whole.shown);
    }),
    { numRuns: 1500 },
  );
});

const long: readonly (readonly [title: string, beginning: string, piece: string, end: string])[] = [
  [
    "arguments",
    '<tool_calls><invoke name="write"><parameter name="content">',
    "const a = b < c; // </param\n",
    "</parameter></invoke></tool_calls>",
  ],
  [
    "JSON",
    '<tool_call>{"name":"write","arguments":{"content":"',
    'const a = [b, {c}] \\\\n\\" ',
    '"}}</tool_call>',
  ],
  ["prose", "", "Some `code` and <b>text</b>.\n", ""],
  ["white space", "a", "      \n", "b"],
  ["white space in a block", "<tool_calls>", "      \n", "b"],
  ["backticks", "", "````````", ""],
  ["opening tags", "", "<tool_calls>\n", ""],
  ["digits of a tag", '<tool_calls><invoke name="read"><parameter-', "1234567", ""],
  ["an endless tag", "<tool_calls><invoke name", "        ", ""],
  ["what is ignored", read, "</invoke", ""],
];
for (const [title, beginning, piece, end] of long) {
  // The first is the size that is promised; the others show that nothing is looked at again and again.
  const deltas = title === "arguments" ? 20_000 : 4_000;
  test(`${title} in ${deltas} deltas are read in linear time [P16]`, async () => {
    const delta = piece.repeat(Math.ceil(100 / piece.length));
    const pieces = [beginning, ...Array.from({ length: deltas }, () => delta), end];
    const ms = await cpuMsOf(() => outcomeOf(saying(pieces)));
    assert.ok(ms < 1000, `${ms} ms`);
  });
}
