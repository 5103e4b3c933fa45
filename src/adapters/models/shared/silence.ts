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
  const stopped = new AbortController();
  let limitMs = options.limitMs;
  let silentMs = 0;

  async function watch(): Promise<void> {
    while (true) {
      const tickMs = Math.min(longestTickMs, limitMs / 4);
      const startedMs = clock.monotonicMs();
      await clock.sleep(tickMs, stopped.signal);
      if (stopped.signal.aborted) return;
      if (options.isPaused()) silentMs = 0;
      else silentMs += Math.min(clock.monotonicMs() - startedMs, tickMs);
      if (silentMs < limitMs) continue;
      // What has arrived but was not read yet (a stopped process goes on with its timers first) still counts.
      await nextTurn();
      await nextTurn();
      if (silentMs >= limitMs && !stopped.signal.aborted) return options.onSilence();
    }
  }

  watch().catch(() => options.onSilence());
  return {
    alive: () => {
      silentMs = 0;
    },
    allow: (ms) => {
      limitMs = ms;
    },
    // A reason of our own: without one Node makes an error with its stack, for nobody.
    stop: () => stopped.abort("stopped"),
  };
}

const longestTickMs = 5000;
