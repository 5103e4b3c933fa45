import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "#testing";

const never = new AbortController().signal;

test("sleepers wake in the order of their times, and see the time they asked for", async () => {
  const clock = fakeClock(1000);
  const woken: string[] = [];
  const sleeps = [
    clock.sleep(20, never).then(() => woken.push(`b at ${clock.now()}`)),
    clock.sleep(10, never).then(() => woken.push(`a at ${clock.now()}`)),
  ];
  await clock.advance(30);
  await Promise.all(sleeps);
  assert.deepEqual(woken, ["a at 1010", "b at 1020"]);
  assert.equal(clock.monotonicMs(), 30);
});

test("a sleeper that sleeps again wakes again within the same advance", async () => {
  const clock = fakeClock();
  let ticks = 0;
  const loop = (async () => {
    while (ticks < 5) {
      await clock.sleep(10, never);
      ticks += 1;
    }
  })();
  await clock.advance(49);
  assert.equal(ticks, 4);
  await clock.advance(1);
  await loop;
});

test("an aborted sleep ends at once, without an error, and leaves nothing behind", async () => {
  const clock = fakeClock();
  const abort = new AbortController();
  const sleep = clock.sleep(1e9, abort.signal);
  assert.equal(clock.sleeping, 1);
  abort.abort();
  await sleep;
  await clock.sleep(1e9, abort.signal);
  assert.equal(clock.sleeping, 0);
});

test("after a jump the sleepers wake late", async () => {
  const clock = fakeClock();
  let wokenAtMs = -1;
  const sleep = clock.sleep(10, never).then(() => {
    wokenAtMs = clock.monotonicMs();
  });
  clock.jump(5000);
  await clock.advance(0);
  await sleep;
  assert.equal(wokenAtMs, 5000);
});
