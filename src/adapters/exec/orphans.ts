import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { isCallMarker } from "./call-marker.ts";
import { sweep } from "./sweep.ts";

/** The look costs some milliseconds; a program that is gone by then has nothing to tidy up. */
const firstLookMs = 1_000;
/** A process in the middle of an exec shows nothing: only what two looks agree on counts. */
const betweenLooksMs = 300;

/**
 * Ends commands whose agent and whole supervisor were killed together, which nobody waits for any more: of any session
 * of this user, since the run that would find them may never be resumed. Their runs stay lost, as they were. Linux
 * only: elsewhere the next process that attaches to the run does it.
 * @returns how many processes it ended; early, with 0, when the signal aborts
 */
export async function endOrphans(options: {
  readonly signal: AbortSignal;
  readonly firstLookMs?: number;
}): Promise<number> {
  if (process.platform !== "linux") return 0;
  const { signal } = options;
  if (!(await waited(options.firstLookMs ?? firstLookMs, signal))) return 0;
  const seen = orphans();
  if (seen.size === 0 || !(await waited(betweenLooksMs, signal))) return 0;
  const still = orphans();
  let ended = 0;
  for (const marker of seen) if (still.has(marker)) ended += await sweep(marker);
  return ended;
}

/** Never what keeps a program alive. False when the signal came first. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal, ref: false });
    return true;
  } catch {
    // Aborted.
    return false;
  }
}

/** Markers that some process carries and no supervisor answers for. */
function orphans(): ReadonlySet<string> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const carried = new Set(
    pids.flatMap((pid) => markersIn(textOf(pid, "environ"))).filter(isCallMarker),
  );
  // Whatever this process runs under lives, though perhaps where it cannot be seen: outside a sandbox.
  for (const marker of markersIn(`PAWL_CALL=${process.env["PAWL_CALL"] ?? ""}`)) {
    carried.delete(marker);
  }
  if (carried.size === 0) return carried;
  // A supervisor has the marker as an argument, and so has every part of it.
  for (const pid of pids)
    for (const word of textOf(pid, "cmdline").split("\0")) carried.delete(word);
  return carried;
}

const assigned = "PAWL_CALL=";

const markersIn = (environment: string): readonly string[] =>
  environment.includes(assigned)
    ? environment
        .split("\0")
        .filter((one) => one.startsWith(assigned))
        .flatMap((one) => one.slice(assigned.length).split(":"))
    : [];

function textOf(pid: string, file: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // It has ended, or belongs to somebody else.
    return "";
  }
}
