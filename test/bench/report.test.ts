import assert from "node:assert/strict";
import { test } from "node:test";

import { windowAt, type Line } from "../../bench/line.ts";
import { comparison, misses, table, type Report } from "../../bench/report.ts";
import { quantile } from "../../bench/statistics.ts";

const gap: Line = {
  id: "gap",
  title: "gap",
  unit: "ms",
  floor: 2,
  pawl: 3,
  goal: { atMost: 1.4, of: "ratio" },
};
const size: Line = { ...gap, id: "size", title: "size", unit: "MB", floor: null, goal: null };
const report = (lines: readonly Line[]): Report => ({
  date: "2026-01-01",
  node: "v24",
  machine: "2 cores",
  load: 0,
  lines,
});

test("a quantile is one of the samples, and of no samples not a number", () => {
  assert.deepEqual(
    [quantile([3, 1, 2], 0.5), quantile([1, 2, 3, 4], 0.95), quantile([], 0.5)],
    [2, 4, Number.NaN],
  );
});

test("a window lies around its turn, and at the end before it", () => {
  assert.deepEqual(
    [windowAt(10, 2000), windowAt(100, 2000), windowAt(2000, 2000)],
    [
      { from: 5, to: 15 },
      { from: 90, to: 110 },
      { from: 1949, to: 1999 },
    ],
  );
});

test("the table says which goals are missed", () => {
  assert.equal(
    table([gap, size]),
    [
      "|      |   floor |    Pawl |  ratio |             goal |",
      "| ---- | ------: | ------: | -----: | ---------------: |",
      "| gap  | 2.00 ms | 3.00 ms | 1.50 × | ≤ 1.4 × (missed) |",
      "| size |         | 3.00 MB |        |                  |",
    ].join("\n"),
  );
});

test("a figure that could not be measured misses its goal, with any slack", () => {
  assert.deepEqual(
    [misses(gap), misses(gap, 4), misses({ ...gap, pawl: Number.NaN }, 4), misses(size)],
    [true, false, true, false],
  );
});

test("a comparison shows what both reports have", () => {
  assert.equal(
    comparison(report([gap, size]), report([{ ...gap, pawl: 4 }])),
    [
      "|     |  before |     now | change | ratio before | ratio now |",
      "| --- | ------: | ------: | -----: | -----------: | --------: |",
      "| gap | 4.00 ms | 3.00 ms |  -25 % |       2.00 × |    1.50 × |",
    ].join("\n"),
  );
});
