import assert from "node:assert/strict";
import { test } from "node:test";

import { startSession, type Journal } from "#runtime";
import { answer, call, calls, memory, prompt, realSleep, rig, settle, tool } from "./rig.ts";

/** A journal that also writes down which facts shared a sync. */
async function watched(): Promise<{
  readonly journal: Journal;
  readonly syncs: readonly (readonly string[])[];
}> {
  const inner = await memory();
  const syncs: (readonly string[])[] = [];
  const journal: Journal = {
    ...inner,
    get seq() {
      return inner.seq;
    },
    append(facts) {
      syncs.push(facts.map(({ fact }) => fact.type));
      return inner.append(facts);
    },
  };
  return { journal, syncs };
}

test("a turn takes two syncs: one before the call runs, one before the next request", async () => {
  const { journal, syncs } = await watched();
  const made = await rig({
    journal,
    turns: [calls([call("change")]), answer("done")],
    tools: [tool({ name: "change", access: "write" })],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await settle(session, made.clock);
  assert.deepEqual(syncs, [
    ["session.started"],
    ["input.received", "request.started"],
    ["response.received", "permission.decided", "tool.started"],
    ["tool.finished", "request.started"],
    ["response.received"],
  ]);
});

test("an early read and the rest of its reply share a sync when they come together", async () => {
  const { journal, syncs } = await watched();
  const made = await rig({
    journal,
    turns: [calls([call("look")]), answer("done")],
    tools: [tool({ name: "look" })],
  });
  const session = await made.start();
  await session.send(prompt("go"));
  await settle(session, made.clock);
  assert.deepEqual(syncs[2]?.toSorted(), [
    "permission.decided",
    "response.received",
    "tool.requested",
    "tool.started",
  ]);
});

test("a request is made ready while its fact is on the way to the disk, and sent when it is there", async () => {
  const inner = await memory();
  const seen: string[] = [];
  const journal: Journal = {
    ...inner,
    async append(facts) {
      const types = facts.map(({ fact }) => fact.type);
      seen.push(`write ${types.join(" ")}`);
      await realSleep(20);
      seen.push(`wrote ${types.join(" ")}`);
      return inner.append(facts);
    },
  };
  const { parts, clock } = await rig({ journal, turns: [] });
  const session = await startSession({
    ...parts,
    model: () => ({
      prepare: () => void seen.push("prepare"),
      stream(request, { signal }) {
        seen.push("stream");
        return answer("done")(request, signal);
      },
    }),
  });
  await session.send(prompt("go"));
  await settle(session, clock);
  assert.deepEqual(seen.slice(2, 6), [
    "write input.received request.started",
    "prepare",
    "wrote input.received request.started",
    "stream",
  ]);
});
