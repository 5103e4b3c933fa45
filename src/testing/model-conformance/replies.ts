import assert from "node:assert/strict";
import {
  can,
  chunksOf,
  firstRequest,
  lastIn,
  nextRequest,
  plainBlocks,
  replyOf,
  type Law,
} from "./law.ts";

const text = "先读取文件，然后修复错误 🛠️👩‍💻 — “quoted”.";
const call = (path: string) => ({ tool: "read", input: { path } });

/** What a whole reply is. */
export const replyLaws: readonly Law[] = [
  {
    says: "text is shown piece by piece and whole at the end",
    turns: [{ text, usage: { input: 5, output: 7, cacheRead: 3, cacheWrite: 2 } }],
    check: async (under) => {
      const chunks = await chunksOf(under, firstRequest(under.model));
      const last = lastIn(chunks);
      assert.ok(last.type === "end");
      const deltas = chunks.map((chunk) => (chunk.type === "text" ? chunk.delta : ""));
      assert.equal(deltas.join(""), text);
      assert.deepEqual(plainBlocks(last.reply.blocks), [{ type: "text", text }]);
      assert.equal(last.reply.stop.reason, "end_turn");
      const { cacheWrite, ...usage } = last.reply.usage;
      const input = can(under, "say_cache_writes") ? 5 : 7;
      assert.deepEqual(usage, { input, output: 7, cacheRead: 3 });
      assert.equal(input + cacheWrite, 7);
    },
  },
  {
    says: "characters survive any cut of the bytes (P01)",
    turns: [{ text, calls: [call(text)], fault: { type: "pieces", bytes: 1 } }],
    check: async (under) => {
      const { blocks } = await replyOf(under, firstRequest(under.model));
      assert.deepEqual(
        blocks.map((block) => (block.type === "tool_use" ? block.input : plainBlocks([block])[0])),
        [{ type: "text", text }, { path: text }],
      );
    },
  },
  {
    says: "calls of one reply are numbered in order, each complete before the reply ends",
    turns: [{ text: "Reading.", calls: [call("a"), call("b"), call("c")] }],
    check: async (under) => {
      const chunks = await chunksOf(under, firstRequest(under.model));
      const last = lastIn(chunks);
      assert.ok(last.type === "end");
      assert.equal(last.reply.stop.reason, "tool_use");
      const seen = chunks.flatMap((chunk) =>
        chunk.type === "block" && chunk.index !== null ? [[chunk.index, chunk.block]] : [],
      );
      const calls = last.reply.blocks.filter((block) => block.type === "tool_use");
      assert.deepEqual(
        seen,
        calls.map((one, index) => [index, one]),
      );
      assert.deepEqual(
        calls.map(({ tool, input, problem, complete }) => ({ tool, input, problem, complete })),
        ["a", "b", "c"].map((path) => ({ ...call(path), problem: null, complete: true })),
      );
      const ids = can(under, "give_ids") ? 3 : 1;
      assert.equal(new Set(calls.map(({ wireId }) => wireId)).size, ids);
    },
  },
  {
    says: "arguments that are no JSON object are kept as text, with the reason",
    turns: [
      {
        calls: [
          { tool: "read", input: {}, inputText: '{"path":"a",}' },
          { tool: "read", input: {}, inputText: '["a"]' },
          { tool: "read", input: {}, inputText: "" },
        ],
      },
    ],
    check: async (under) => {
      if (!can(under, "break_arguments")) return;
      const { blocks } = await replyOf(under, firstRequest(under.model));
      const calls = blocks.filter((block) => block.type === "tool_use");
      assert.deepEqual(
        calls.map(({ input, problem, inputText }) => ({ input, problem, inputText })),
        [
          { input: {}, problem: "not valid JSON", inputText: '{"path":"a",}' },
          { input: {}, problem: "not an object", inputText: '["a"]' },
          { input: {}, problem: null, inputText: null },
        ],
      );
    },
  },
  {
    says: "a stop reason nobody knows is `unknown`, with its label (R9, W16)",
    turns: [{ text: "One.", stop: "taking_a_walk" }],
    check: async (under) => {
      const { stop } = await replyOf(under, firstRequest(under.model));
      assert.deepEqual(stop, { reason: "unknown", raw: "taking_a_walk" });
    },
  },
  {
    says: "a conversation goes on over calls, results and thinking",
    turns: [
      { thinking: "First the file.", calls: [call("a"), call("b")] },
      { thinking: "Now I know.", text: "Done." },
      { text: "Nothing." },
    ],
    check: async (under) => {
      const first = firstRequest(under.model);
      const second = nextRequest(first, await replyOf(under, first));
      const third = nextRequest(second, await replyOf(under, second));
      const { blocks } = await replyOf(under, third);
      assert.deepEqual(plainBlocks(blocks), [{ type: "text", text: "Nothing." }]);
      const thought = third.messages[1]?.blocks[0];
      assert.ok(thought?.type === "thinking" && thought.text === "First the file.");
    },
  },
];
