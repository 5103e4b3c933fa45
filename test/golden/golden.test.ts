import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { fold, type Entry, type Fact, type FactType } from "#core";

const folder = import.meta.dirname;
const versions = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const read = (version: string, name: string): string =>
  readFileSync(join(folder, version, name), "utf8");

const journals = versions.flatMap((version) =>
  readdirSync(join(folder, version))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ version, name })),
);

const entriesOf = ({ version, name }: (typeof journals)[number]): readonly Entry[] =>
  read(version, name)
    .trimEnd()
    .split("\n")
    .map((line): Entry => JSON.parse(line));

test("R22 journals of every release fold to the states they had when they were written", () => {
  assert.ok(journals.length >= 20);
  for (const journal of journals) {
    const { state, refused } = fold(entriesOf(journal));
    assert.deepEqual(refused, []);
    const then: object = JSON.parse(
      read(journal.version, journal.name.replace(".jsonl", ".state.json")),
    );
    // A later version may know more of a state, and never anything else.
    assert.partialDeepStrictEqual(state, then);
  }
});

test("the golden journals hold every type of fact", () => {
  const seen = new Set<Fact["type"]>(
    journals.flatMap((journal) => entriesOf(journal).map((entry) => entry.fact.type)),
  );
  const wanted: readonly FactType[] = [
    "session.started",
    "session.resumed",
    "session.forked",
    "agent.changed",
    "input.received",
    "input.withdrawn",
    "interrupt.requested",
    "request.started",
    "request.failed",
    "request.lost",
    "response.received",
    "timer.fired",
    "context.compacted",
    "tool.requested",
    "permission.asked",
    "permission.decided",
    "tool.started",
    "tool.finished",
    "tool.lost",
    "tool.probed",
    "job.started",
    "job.ended",
    "budget.reserved",
    "budget.released",
    "memory.changed",
    "workspace.restored",
    "hook.ran",
  ];
  assert.deepEqual([...seen].toSorted(), wanted.toSorted());
});
