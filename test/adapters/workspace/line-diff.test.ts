import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffLines, mergeLines, type MergedHunk } from "#adapters/workspace";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });

/** Longest common subsequence, the slow way. */
function commonLength(one: readonly string[], other: readonly string[]): number {
  let above = Array.from({ length: other.length + 1 }, () => 0);
  for (const line of one) {
    const row = [0];
    for (const [index, there] of other.entries()) {
      const best = Math.max(above[index + 1] ?? 0, row[index] ?? 0);
      row.push(line === there ? (above[index] ?? 0) + 1 : best);
    }
    above = row;
  }
  return above[other.length] ?? 0;
}

test("a diff makes the new lines of the old ones, and is the shortest there is", () => {
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const hunks = diffLines(old, now);
      const made: string[] = [];
      let at = 0;
      let removed = 0;
      for (const { from, to, newFrom, newTo } of hunks) {
        made.push(...old.slice(at, from), ...now.slice(newFrom, newTo));
        removed += to - from;
        at = to;
      }
      made.push(...old.slice(at));
      assert.deepEqual(made, now);
      assert.equal(old.length - removed, commonLength(old, now));
    }),
    { numRuns: 500 },
  );
});

const applied = (theirs: readonly string[], hunks: readonly MergedHunk[]): readonly string[] =>
  hunks.reduceRight<readonly string[]>(
    (text, { from, to, lines: put }) => [...text.slice(0, from), ...put, ...text.slice(to)],
    theirs,
  );

test("[E14] a merge holds the changes of both, whichever way round, or is none", () => {
  let merged = 0;
  fc.assert(
    fc.property(lines, lines, lines, (base, mine, theirs) => {
      const hunks = mergeLines(base, mine, theirs);
      const back = mergeLines(base, theirs, mine);
      assert.equal(hunks === null, back === null);
      if (hunks === null || back === null) return;
      merged += 1;
      assert.deepEqual(applied(theirs, hunks), applied(mine, back));
    }),
    { numRuns: 1000 },
  );
  assert.ok(merged > 5, `only ${merged} merges`);
});

test("[E14] who changed nothing gets what the other one has", () => {
  fc.assert(
    fc.property(lines, lines, (base, other) => {
      assert.deepEqual(applied(base, mergeLines(base, other, base) ?? []), other);
      assert.deepEqual(mergeLines(base, base, other), []);
    }),
  );
});

test("texts that have hardly a line in common are compared in little time", () => {
  const old = Array.from({ length: 50_000 }, (_, line) => `old ${line}`);
  const now = Array.from({ length: 50_000 }, (_, line) => `new ${line}`);
  const startMs = performance.now();
  assert.deepEqual(diffLines(old, now), [{ from: 0, to: 50_000, newFrom: 0, newTo: 50_000 }]);
  assert.ok(performance.now() - startMs < 10_000);
});
