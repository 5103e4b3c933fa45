import { setImmediate as nextTurn } from "node:timers/promises";
import type { EpochMs } from "#core";
import type { Clock } from "#runtime";

export interface FakeClock extends Clock {
  /**
   * Moves time on. Sleepers wake in the order of their times, and whatever they start (promises, loopback
   * sockets) gets to run before the next one wakes. Resolves when time stands at the new moment.
   */
  advance(ms: number): Promise<void>;
  /** Moves time on without waking anyone, as a machine that was asleep: the next `advance` wakes them late. */
  jump(ms: number): void;
  /** Sleeps that have not ended: 0 when nothing waits for time. */
  readonly sleeping: number;
}

interface Sleeper {
  readonly atMs: number;
  wake(): void;
}

/** A clock that stands still until a test moves it. 1764500000000 is a moment in November 2025. */
export function fakeClock(startAt: EpochMs = 1_764_500_000_000): FakeClock {
  let elapsedMs = 0;
  const sleepers = new Set<Sleeper>();

  function nextDue(untilMs: number): Sleeper | null {
    let due: Sleeper | null = null;
    for (const sleeper of sleepers) {
      if (sleeper.atMs <= untilMs && (due === null || sleeper.atMs < due.atMs)) due = sleeper;
    }
    return due;
  }

  return {
    now: () => startAt + elapsedMs,
    monotonicMs: () => elapsedMs,
    get sleeping() {
      return sleepers.size;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleeper = {
          atMs: elapsedMs + Math.max(0, ms),
          wake: () => {
            sleepers.delete(sleeper);
            signal.removeEventListener("abort", sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal.addEventListener("abort", sleeper.wake, { once: true });
      }),
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      await settle();
      for (let due = nextDue(untilMs); due !== null; due = nextDue(untilMs)) {
        elapsedMs = Math.max(elapsedMs, due.atMs);
        due.wake();
        await settle();
      }
      elapsedMs = untilMs;
      await settle();
    },
    jump(ms) {
      elapsedMs += ms;
    },
  };
}

/** A few turns of the event loop: enough for a promise chain with a socket read in it. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
}
