import assert from "node:assert/strict";
import type { FailureClass } from "#core";
import type { ModelChunk } from "#runtime";
import { chunksOf, firstRequest, lastIn, lastOf, replyOf, type Last, type Law } from "./law.ts";

const calls = [
  { tool: "read", input: { path: "a" } },
  { tool: "read", input: { path: "a rather long path, so that there is a middle to cut at" } },
];

/** Long enough that the middle of its stream lies in it on every wire. */
const long = "One two three four five six seven eight nine ten. ".repeat(8);

function failureIn(last: Last, kind: FailureClass): Extract<Last, { type: "failure" }> {
  assert.ok(last.type === "failure", `it should have failed: ${JSON.stringify(last)}`);
  assert.equal(last.failure.class, kind, last.failure.message);
  return last;
}

/** What becomes of a reply that does not come whole. */
export const troubleLaws: readonly Law[] = [
  {
    says: "a reply cut in its text is truncated, and keeps what came (P14)",
    turns: [{ text: "One two three four five six seven eight.", fault: { type: "cut" } }],
    check: async (under) => {
      const { blocks } = failureIn(await lastOf(under, firstRequest(under.model)), "truncated");
      assert.ok(blocks.every((block) => block.type === "text"));
      assert.equal((await replyOf(under, firstRequest(under.model))).blocks.length, 1);
    },
  },
  {
    says: "a call whose arguments were cut off is incomplete and never announced as a block (R93)",
    turns: [{ calls, fault: { type: "cut", call: 1 } }],
    check: async (under) => {
      const chunks = await chunksOf(under, firstRequest(under.model));
      const { blocks } = failureIn(lastIn(chunks), "truncated");
      const complete = blocks.map((block) => block.type === "tool_use" && block.complete);
      assert.equal(complete.length, 2);
      assert.equal(complete[1], false);
      const announced = chunks.flatMap((chunk) => (chunk.type === "block" ? [chunk.index] : []));
      // Some wires mark the end of each call, others only the end of a reply.
      assert.deepEqual(announced, complete[0] === true ? [0] : []);
    },
  },
  {
    says: "a connection that is reset is truncated",
    turns: [{ text: "One two three four five six.", fault: { type: "reset" } }],
    check: async (under) => {
      failureIn(await lastOf(under, firstRequest(under.model)), "truncated");
    },
  },
  {
    says: "silence is a stall in the end, and a sign of life is none (I04, V04)",
    turns: [{ text: long, fault: { type: "stall" } }],
    check: async (under) => {
      const last = lastOf(under, firstRequest(under.model));
      await waitForSleepers(under.clock);
      await under.clock.advance(60_000);
      await under.clock.advance(11 * 60_000);
      failureIn(await last, "stall");
      assert.equal(under.clock.sleeping, 0, "no timer is left");
    },
  },
  {
    says: "an interrupt ends the stream at once, whatever it waits for (R36)",
    turns: [{ text: long, fault: { type: "stall", times: 2 } }],
    check: async (under) => {
      const interrupt = new AbortController();
      const chunks: ModelChunk[] = [];
      const { signal } = interrupt;
      const stream = under.client.stream(firstRequest(under.model), { signal });
      let abortedAtMs = 0;
      for await (const chunk of stream) {
        chunks.push(chunk);
        if (chunk.type !== "text" || signal.aborted) continue;
        abortedAtMs = performance.now();
        interrupt.abort();
      }
      assert.ok(performance.now() - abortedAtMs < 200);
      failureIn(lastIn(chunks), "aborted");
      failureIn(await lastOf(under, firstRequest(under.model), signal), "aborted");
    },
  },
  {
    says: "an error in the stream is a failure of its kind, and keeps what came",
    turns: [{ text: long, fault: { type: "error" } }],
    check: async (under) => {
      const last = failureIn(await lastOf(under, firstRequest(under.model)), "overloaded");
      assert.match(last.failure.message, /Overloaded/);
      assert.equal(last.blocks.length, 1);
    },
  },
  {
    says: "an HTTP error is a failure of its kind, with the server's own wait as it came (R37)",
    turns: [
      {
        text: "Ok.",
        fault: [
          { type: "status", status: 429, headers: { "retry-after": "17" } },
          { type: "status", status: 401, times: 2 },
          { type: "status", status: 500, times: 3 },
        ],
      },
    ],
    check: async (under) => {
      const request = firstRequest(under.model);
      const limited = failureIn(await lastOf(under, request), "rate_limit");
      assert.equal(limited.failure.retryAfterMs, 17_000);
      assert.equal(limited.failure.status, 429);
      assert.equal(failureIn(await lastOf(under, request), "auth").failure.status, 401);
      assert.equal(failureIn(await lastOf(under, request), "server").failure.status, 500);
      assert.equal((await replyOf(under, request)).stop.reason, "end_turn");
    },
  },
];

async function waitForSleepers(clock: { readonly sleeping: number }): Promise<void> {
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
}
