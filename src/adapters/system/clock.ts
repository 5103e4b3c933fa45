import type { Clock } from "#runtime";

/** Longest delay of a timer of Node; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The clock of this machine. `monotonicMs` counts from the start of the process. */
export function systemClock(): Clock {
  return { now: () => Date.now(), monotonicMs: () => performance.now(), sleep };
}

/** Timers may fire a moment early or not reach far enough, so what is left is waited for again. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + ms;
  for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = endMs - performance.now()) {
    await timer(Math.min(Math.ceil(leftMs), maxTimerMs), signal);
  }
}

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(handle);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const handle = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
