import assert from "node:assert/strict";
import { test } from "node:test";

import { parseAmount, parseCount, parseDuration, parseTurns } from "#app/config";

const durations = [
  { title: "90s is 90 seconds", written: "90s", ms: 90_000 },
  { title: "30m is half an hour", written: "30m", ms: 1_800_000 },
  { title: "2h is two hours", written: "2h", ms: 7_200_000 },
  { title: "1h30m adds up", written: "1h30m", ms: 5_400_000 },
  { title: "1.5m is 90 seconds", written: "1.5m", ms: 90_000 },
  { title: "a number without a unit is no duration", written: "30", ms: null },
  { title: "an unknown unit is no duration", written: "3d", ms: null },
  { title: "nothing is no duration", written: "", ms: null },
  { title: "0s is no duration", written: "0s", ms: null },
  { title: "longer than a timer can be is no duration", written: "9999h", ms: null },
];

for (const { title, written, ms } of durations) {
  test(title, () => assert.equal(parseDuration(written), ms));
}

test("counts are whole numbers from 1 that a number can hold", () => {
  const written = ["1", "007", "0", "-1", "1.5", "1e3", " 1", "９", "9007199254740993", ""];
  assert.deepEqual(written.map(parseCount), [1, 7, null, null, null, null, null, null, null, null]);
});

test("amounts are decimal numbers above 0", () => {
  const written = ["0.5", "2", "0", "-1", "1e3", ".5", "$2", "Infinity", ""];
  assert.deepEqual(written.map(parseAmount), [0.5, 2, null, null, null, null, null, null, null]);
});

test("R31 turns are a number, a preset or unlimited", () => {
  const written = ["5", "500", "quick", "long", "unlimited", "toString", "Quick"];
  assert.deepEqual(written.map(parseTurns), [5, 500, 5, 300, "unlimited", null, null]);
});
