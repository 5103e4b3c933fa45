import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { Failure } from "#core";
import { startSession, type Clock, type ModelChunk, type Session } from "#runtime";
import { answer, failure, prompt, rig, type Rig, type Turn } from "./rig.ts";

/** The provider wants to be left alone for five minutes. */
const busy: Turn = async function* () {
  const why = failure("server");
  if (why.type !== "failure") return;
  const slow: Failure = { ...why.failure, class: "rate_limit", retryAfterMs: 300_000 };
  yield { ...why, failure: slow } satisfies ModelChunk;
};

/** A session that has begun to wait. */
async function waiting(clockOf: (clock: Clock) => Clock = (clock) => clock): Promise<Rig> {
  const made = await rig({ turns: [busy, answer("here")] });
  const session = await startSession({ ...made.parts, clock: clockOf(made.clock) });
  await session.send(prompt("go"));
  await reached(session, "backing_off");
  return made;
}

/** Facts reach the disk in real time. */
async function reached(session: Session, at: string): Promise<void> {
  while (session.state.phase.at !== at) await sleep(1);
}

const settled = (): Promise<void> => sleep(50);

test("[L08] the server's wait is kept to the end, and not much longer", async () => {
  const made = await waiting();
  await made.clock.advance(299_000);
  await settled();
  assert.equal(made.requests.length, 1);
  await made.clock.advance(2000);
  await settled();
  assert.equal(made.requests.length, 2);
});

test("[I04] a machine that slept through a wait asks again within seconds, although its timers stood still", async () => {
  const made = await waiting();
  made.clock.jump(8 * 3_600_000);
  await made.clock.advance(11_000);
  await settled();
  assert.equal(made.requests.length, 2);
});

test("[L08] a wall clock that is set back makes no wait longer", async () => {
  let setBackMs = 0;
  const made = await waiting((clock) => ({
    ...clock,
    now: () => clock.now() - setBackMs,
    monotonicMs: () => clock.monotonicMs(),
  }));
  setBackMs = 3_600_000;
  await made.clock.advance(301_000);
  await settled();
  assert.equal(made.requests.length, 2);
});
