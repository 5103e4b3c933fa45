import assert from "node:assert/strict";
import { test } from "node:test";
import { systemEntropy } from "#adapters/system";

test("session ids are 26 digits of Crockford's base 32 and begin with the time", () => {
  const id = systemEntropy({ now: () => 1_469_918_176_385 }).sessionId();
  assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
  // The example of the ULID specification.
  assert.equal(id.slice(0, 10), "01ARYZ6S41");
});

test("ids sort in the order they were made, also when the clock stands still or goes back", () => {
  const times = [5, 5, 5, 4, 9, 9, 1, 10];
  const entropy = systemEntropy({ now: () => times.shift() ?? 0 });
  const ids = Array.from({ length: 8 }, () => entropy.sessionId());
  assert.deepEqual(ids, [...new Set(ids)].toSorted());
});

test("two processes that make ids at the same time make different ones", () => {
  const ids = Array.from({ length: 1000 }, () => systemEntropy({ now: () => 0 }).sessionId());
  assert.equal(new Set(ids).size, 1000);
});

test("jitter lies between 0 and 1", () => {
  const entropy = systemEntropy({ now: () => 0 });
  const values = Array.from({ length: 100 }, () => entropy.jitter());
  assert.ok(values.every((value) => value >= 0 && value <= 1));
  assert.ok(new Set(values).size > 50);
});
