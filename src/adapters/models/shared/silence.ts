import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "#runtime";

export interface SilenceWatch {
  /** Something came. */
  alive(): void;
  /** From now on this much silence is too much. */
  allow(limitMs: number): void;
  /** Idempotent. */
  stop(): void;
}

/**
 * Calls `onSilence` once when nothing came for the limit. Silence is counted in ticks, and one tick never counts
 * for more than its own length: a machine that slept, or a stopped process, has not been listening meanwhile.
 */
export function watchSilence(options: {
  readonly clock: Clock;
  readonly limitMs: number;
  /** True while it is our side that does not read. */
  isPaused(): boolean;
  onSilence(): void;
}): SilenceWatch {
  const { clock } = options;
  let limitMs = options.limitMs;
  let silentMs = 0;
  let aliveAtMs = clock.monotonicMs();
  let isStopped = false;
  let tick = new AbortController();

  async function watch(): Promise<void> {
    while (!isStopped) {
      tick = new AbortController();
      const tickMs = Math.min(longestTickMs, limitMs / 4);
      const startedMs = clock.monotonicMs();
      await clock.sleep(tickMs, tick.signal);
      if (options.isPaused()) silentMs = 0;
      else silentMs += Math.min(clock.monotonicMs() - Math.max(startedMs, aliveAtMs), tickMs);
      if (silentMs < limitMs) continue;
      // What has arrived but was not read yet (a stopped process goes on with its timers first) still counts.
      await nextTurn();
      await nextTurn();
      if (silentMs >= limitMs && !isStopped) return options.onSilence();
    }
  }

  // A reason of our own: without one Node makes an error with its stack, for nobody.
  const wake = (): void => tick.abort("woken");

  watch().catch(() => options.onSilence());
  return {
    alive() {
      silentMs = 0;
      aliveAtMs = clock.monotonicMs();
    },
    allow(ms) {
      const isShorter = ms < limitMs;
      limitMs = ms;
      // The tick under way may be longer than all that is allowed now.
      if (isShorter) wake();
    },
    stop() {
      isStopped = true;
      wake();
    },
  };
}

const longestTickMs = 5000;

/** How long the end of an answer is waited for when the reply in it is whole: usage and end marks follow at once. */
export const silenceBehindReplyMs: number = 4000;
