// A measured process: the loop without a wire. A model in this process asks for one small read a turn; what passes
// between the end of its reply and its next request is the loop, the tool and the journal. One session is brought to
// its last turns, another to its first ones; then they take turns, so that the same machine is seen by both. Prints
// the gaps of both.

import { jsonlStore } from "#adapters/stores";
import { systemClock, systemEntropy } from "#adapters/system";
import { noUsage, text, type ReplyBlock, type StopReason } from "#core";
import { startSession, type ModelChunk, type ModelClient, type Session } from "#runtime";
import { sessionParts } from "./library.ts";
import type { WantedCall } from "./replies.ts";
import { smallReads } from "./workplace.ts";

/** Turns of each session that are compared. */
const compared = 100;

const [home = "", early = "", last = ""] = process.argv.slice(2);
const store = jsonlStore({ home, clock: systemClock() });
const entropy = systemEntropy(systemClock());

/** A session that stops before its request number `from` and then makes one turn at a time. */
interface Walker {
  readonly session: Session;
  readonly gapsMs: readonly number[];
  /** Resolves when the turn is over and the next request has been made, or the run has ended. */
  step(): Promise<void>;
}

async function walkTo(from: number): Promise<Walker> {
  const gapsMs: number[] = [];
  let asked = 0;
  let endedMs = 0;
  let go = Promise.withResolvers<void>();
  let arrived = Promise.withResolvers<void>();

  const model: ModelClient = {
    async *stream() {
      const gapMs = performance.now() - endedMs;
      asked += 1;
      if (asked > from) gapsMs.push(gapMs);
      if (asked >= from) {
        arrived.resolve();
        await go.promise;
      }
      const calls = asked < from + compared ? smallReads(1, asked) : [];
      const blocks = [text("I look at that next."), ...calls.map(asBlock)];
      yield { type: "text", delta: "I look at that next." };
      yield* blocks.map((block, index): ModelChunk => ({ type: "block", index: index - 1, block }));
      endedMs = performance.now();
      yield end(blocks, calls.length > 0 ? "tool_use" : "end_turn");
    },
  };
  const journal = await store.create({ id: entropy.sessionId(), cwd: process.cwd() });
  const session = await startSession(sessionParts(journal, model));
  await session.send({ type: "prompt", blocks: [text("Look at the files.")] });
  await arrived.promise;
  return {
    session,
    gapsMs,
    async step() {
      const started = go;
      go = Promise.withResolvers<void>();
      arrived = Promise.withResolvers<void>();
      started.resolve();
      await Promise.race([arrived.promise, session.settled()]);
    },
  };
}

function asBlock({ tool, input }: WantedCall): ReplyBlock {
  return {
    type: "tool_use",
    wireId: null,
    tool,
    input: { path: String(input["path"]) },
    problem: null,
    inputText: null,
    complete: true,
  };
}

const end = (blocks: readonly ReplyBlock[], reason: StopReason): ModelChunk => ({
  type: "end",
  reply: { model: "bench", blocks, stop: { reason, raw: reason }, usage: noUsage, warnings: [] },
});

const old = await walkTo(Number(last) - compared);
const young = await walkTo(Number(early));
for (let turn = 0; turn <= compared; turn += 1) {
  await young.step();
  await old.step();
}
for (const { session } of [young, old]) await session.close();
console.log(JSON.stringify({ early: young.gapsMs, late: old.gapsMs }));
