import { setTimeout as delay } from "node:timers/promises";

import type { Capture } from "./capture.ts";
import type { Supervisor } from "./launch.ts";
import { survivors } from "./sweep.ts";

/** `marked`: processes with the marker. `unknown`: somebody without one holds the output. */
export type Rest =
  | { readonly at: "nothing" }
  | { readonly at: "marked"; readonly marker: string }
  | { readonly at: "unknown" };

const lookEveryMs = 10;
/** A process that ends right after the shell is not worth a word. */
const stragglerMs = 40;
/** What the shell wrote before it ended has come by then, even if others go on writing. */
const flushMs = 60;
/** Without anybody to hold it the output ends; on a busy machine not at once. */
const drainMs = 1_000;

type Watched = { readonly marker: string; readonly captured: Capture };

/**
 * What a command left running when its shell ended. Until then all its output has come, and no more than a
 * moment of what processes in the background still write: that might never end.
 */
export async function whatIsLeft(supervisor: Supervisor, watched: Watched): Promise<Rest> {
  const { marker, captured } = watched;
  const endMs = performance.now();
  const waited = (): number => performance.now() - endMs;
  const isOver = drained(supervisor);
  for (let bytes = -1; !(await Promise.race([isOver, delay(lookEveryMs, false)]));) {
    const isQuiet = bytes === captured.totalBytes() && waited() > 2 * lookEveryMs;
    bytes = captured.totalBytes();
    const isHeld = await areLeft(supervisor, marker);
    if (isHeld && (isQuiet || waited() > flushMs)) return { at: "marked", marker };
    if (waited() > drainMs) return { at: "unknown" };
  }
  while (await areLeft(supervisor, marker)) {
    if (waited() > stragglerMs) return { at: "marked", marker };
    await delay(lookEveryMs);
  }
  return { at: "nothing" };
}

const watchEveryMs = 5_000;

/** Lets the supervisor go, or, if something was left running, keep watch until that or this process ends. */
export function release(supervisor: Supervisor, rest: Rest): void {
  supervisor.unref();
  supervisor.output.destroy();
  if (rest.at === "nothing") supervisor.tell("done");
  if (rest.at !== "marked") return;
  const look = async (): Promise<void> => {
    if (await areLeft(supervisor, rest.marker)) return;
    clearInterval(timer);
    supervisor.tell("done");
  };
  const timer = setInterval(() => void look(), watchEveryMs).unref();
}

async function areLeft(supervisor: Supervisor, marker: string): Promise<boolean> {
  return (await survivors(marker, supervisor.pid)).length > 0;
}

function drained({ output }: Supervisor): Promise<true> {
  return new Promise((resolve) => {
    if (output.readableEnded || output.destroyed) resolve(true);
    output.once("end", () => resolve(true));
    output.once("close", () => resolve(true));
  });
}
