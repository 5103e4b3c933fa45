// A measured process: the loop without a wire. A model in this process asks for one small read a turn; what passes
// between the end of its reply and its next request is the loop, the tool and the journal. Prints the gaps.

import { jsonlStore } from "#adapters/stores";
import { systemClock, systemEntropy } from "#adapters/system";
import { noUsage, text, type ReplyBlock, type StopReason } from "#core";
import { startSession, type ModelChunk, type ModelClient } from "#runtime";
import { sessionParts } from "./library.ts";
import { smallReads } from "./workplace.ts";

const [home = "", turns = ""] = process.argv.slice(2);
const gapsMs: number[] = [];
let endedMs: number | null = null;
let asked = 0;

const model: ModelClient = {
  async *stream() {
    if (endedMs !== null) gapsMs.push(performance.now() - endedMs);
    const calls = asked < Number(turns) - 1 ? smallReads(1, asked) : [];
    asked += 1;
    const blocks = [text("I look at that next."), ...calls.map(asBlock)];
    yield { type: "text", delta: "I look at that next." };
    yield* blocks.map((block, index): ModelChunk => ({ type: "block", index: index - 1, block }));
    endedMs = performance.now();
    yield end(blocks, calls.length > 0 ? "tool_use" : "end_turn");
  },
};

function asBlock({ tool, input }: ReturnType<typeof smallReads>[number]): ReplyBlock {
  const { path } = input;
  return {
    type: "tool_use",
    wireId: null,
    tool,
    input: { path: String(path) },
    problem: null,
    inputText: null,
    complete: true,
  };
}

const end = (blocks: readonly ReplyBlock[], reason: StopReason): ModelChunk => ({
  type: "end",
  reply: { model: "bench", blocks, stop: { reason, raw: reason }, usage: noUsage, warnings: [] },
});

const store = jsonlStore({ home, clock: systemClock() });
const id = systemEntropy(systemClock()).sessionId();
const session = await startSession(
  sessionParts(await store.create({ id, cwd: process.cwd() }), model),
);
await session.send({ type: "prompt", blocks: [text("Look at the files.")] });
await session.settled();
await session.close();
console.log(JSON.stringify(gapsMs));
