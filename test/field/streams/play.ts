import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { retryDelayMs, text } from "#core";
import type { ModelChunk, ModelRequest } from "#runtime";
import { fakeClock, startScriptedServer, type Fault } from "#testing";
import { outcomeOf } from "./judge.ts";
import type { Recording } from "./recording.ts";
import type { Run } from "./transforms.ts";
import type { Wire } from "./wires.ts";

export const requestOf = ({ model }: Wire): ModelRequest => ({
  model,
  system: [],
  tools: [],
  toolChoice: "auto",
  messages: [{ role: "user", blocks: [text("Go.")], seq: 1 }],
  maxOutputTokens: 1000,
});

/** Serves each run over a real socket, reads it with the wire's own client and checks what came. */
export async function play(
  wire: Wire,
  runs: readonly Run[],
  onDone: (run: Run, error: unknown, outcome: string | null) => void = throwIt,
): Promise<void> {
  const clock = fakeClock();
  await using server = await startScriptedServer({
    turns: runs.map(({ sse, fault }) => ({ sse, fault })),
    checks: "light",
    clock,
  });
  const client = wire.client(server.url, clock);
  for (const run of runs) {
    const chunks: ModelChunk[] = [];
    const reading = (async () => {
      const { signal } = new AbortController();
      for await (const chunk of client.stream(requestOf(wire), { signal })) chunks.push(chunk);
    })();
    await run.meanwhile?.(clock);
    await reading;
    const last = chunks.at(-1);
    const isEnd = last?.type === "end" || last?.type === "failure";
    onDone(run, problemOf(run, chunks), isEnd ? outcomeOf(last) : null);
  }
  assert.equal(clock.sleeping, 0, "no timer is left");
}

function throwIt(_: Run, error: unknown): void {
  if (error !== null) throw error;
}

function problemOf(run: Run, chunks: readonly ModelChunk[]): unknown {
  try {
    const ends = chunks.filter((chunk) => chunk.type === "end" || chunk.type === "failure");
    assert.equal(ends.length, 1, `${run.title}: exactly one end`);
    const [last] = ends;
    assert.ok(last !== undefined && last === chunks.at(-1), `${run.title}: the end is last`);
    run.check(last, chunks);
    return null;
  } catch (error) {
    return error;
  }
}

/** Half of the stream, then silence: a stall that may be tried again; an interrupt ends it at once. */
export async function stall({ wire, sse }: Recording): Promise<void> {
  const clock = fakeClock();
  const fault: Fault = { type: "stall", bytes: Math.floor(sse.length / 2), times: 9 };
  await using server = await startScriptedServer({
    turns: [
      { sse, fault },
      { sse, fault },
    ],
    checks: "light",
    clock,
  });
  const client = wire.client(server.url, clock);
  const read = async (signal: AbortSignal): Promise<ModelChunk | undefined> =>
    lastOf(client.stream(requestOf(wire), { signal }));
  const silent = read(new AbortController().signal);
  while (server.requests.length < 1) await nextTurn();
  await clock.advance(11 * 60_000);
  const stalled = await silent;
  const hadStop = wire.holdsStop(sse.subarray(0, Math.floor(sse.length / 2)).toString("latin1"));
  if (!hadStop) {
    assert.ok(stalled?.type === "failure" && stalled.failure.class === "stall");
    assert.ok(retryDelayMs(stalled.failure, { attempt: 1, waitedMs: 0 }, 0) !== null);
  }

  const interrupt = new AbortController();
  const interrupted = read(interrupt.signal);
  while (server.requests.length < 2) await nextTurn();
  const startMs = performance.now();
  interrupt.abort();
  const last = await interrupted;
  assert.ok(last?.type === "failure" && last.failure.class === "aborted");
  assert.ok(performance.now() - startMs < 200);
}

async function lastOf(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk | undefined> {
  let last: ModelChunk | undefined;
  for await (const chunk of chunks) last = chunk;
  return last;
}
