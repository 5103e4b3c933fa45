import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { systemClock } from "#adapters/system";

const clock = systemClock();
const never = new AbortController().signal;

test("a sleep never ends early", async () => {
  const begin = clock.monotonicMs();
  await Promise.all([1, 2, 5, 7.5].map((ms) => clock.sleep(ms, never)));
  assert.ok(clock.monotonicMs() - begin >= 7.5);
});

test("a sleep of no length, or of less, ends at once", async () => {
  for (const ms of [0, -1, Number.NaN]) await clock.sleep(ms, never);
});

test("a sleep longer than a timer of Node can wait does not end at once", async () => {
  const abort = new AbortController();
  const ended = clock.sleep(2 ** 40, abort.signal).then(() => "ended");
  const first = await Promise.race([ended, clock.sleep(20, never).then(() => "still asleep")]);
  assert.equal(first, "still asleep");
  abort.abort();
  assert.equal(await ended, "ended");
});

test("an aborted sleep ends without an error and leaves no listener behind", async () => {
  const abort = new AbortController();
  await clock.sleep(1, abort.signal);
  const sleep = clock.sleep(60_000, abort.signal);
  abort.abort();
  await sleep;
  await clock.sleep(60_000, abort.signal);
  assert.deepEqual(getEventListeners(abort.signal, "abort"), []);
});

test("now is the time since 1970 in milliseconds", () => {
  const before = Date.now();
  assert.ok(clock.now() >= before && clock.now() <= Date.now());
});
