import assert from "node:assert/strict";
import { test } from "node:test";

import type { Journal } from "#runtime";
import { answer, call, calls, memory, prompt, rig, settle, tool } from "./rig.ts";

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
