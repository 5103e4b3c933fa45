import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

import { type RunOutput, type RunState } from "./run.ts";
import { claimEnd, isCopied, readClaim, readEnd, readOutput, recordEnd } from "./run-folder.ts";
import { kill, survivors, sweep, wake } from "./sweep.ts";

export interface InspectOptions {
  /**
   * `bootId` when the run was to be started. With another one now, a missing claim proves nothing: claims are
   * not synced. Null or left out: not known, believe the folder.
   */
  readonly startedInBoot?: string | null;
  readonly currentBoot?: string | null;
  /** Most characters of output. Default 30,000. */
  readonly shownCharacters?: number;
}

/** What became of a run, for a process that did not start it. Only reads; see `attachRun` and `forbidRun`. */
export async function inspectRun(runDir: string, options: InspectOptions = {}): Promise<RunState> {
  const claim = await readClaim(runDir);
  const output = (): Promise<RunOutput> => readOutput(runDir, options.shownCharacters);
  if (claim === null) {
    if (!hasRebooted(options)) return { at: "unclaimed" };
    return { at: "lost", reason: "rebooted", output: await output() };
  }
  const { pid, marker } = claim.owner ?? {};
  const alive = pid !== undefined && (await isSupervisor(pid, runDir));
  // After the question whether it lives: what it wrote before it died is there now.
  const end = await readEnd(runDir);
  if (end === null && alive) return { at: "running", supervisorPid: pid };
  if (end === null || end.cause === "lost") {
    return { at: "lost", reason: "supervisor_gone", output: await output() };
  }
  if (alive) await copied(runDir, pid);
  const outputIsWhole = await isCopied(runDir);
  const { exitCode, signal, cause, atMs } = end;
  return {
    at: "ended",
    end: {
      exitCode,
      signal,
      cause,
      durationMs: Math.max(0, Math.round(atMs - claim.atMs)),
      output: await output(),
      outputIsWhole,
      leftRunning: marker !== undefined && (await survivors(marker)).length > 0,
    },
  };
}

const askEveryMs = 20;
/** A supervisor needs less to end a tree; one that needs more is dead or stopped. */
const patienceMs = 2_000;

/** Waits until the copier is through: the end may be on disk before the last of the output. */
async function copied(runDir: string, supervisorPid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += askEveryMs) {
    if (await isCopied(runDir)) return;
    await delay(askEveryMs);
    if (!(await isSupervisor(supervisorPid, runDir))) return;
  }
}

/** A supervisor that was stopped knows nothing of the death of its agent until it goes on. */
const wakeEveryMs = 500;

/**
 * Waits for a run that another process started, until nothing of it runs any more. On abort, and when its
 * supervisor is gone, it ends what is left; one that was stopped is made to go on. Idempotent.
 */
export async function attachRun(
  runDir: string,
  options: InspectOptions & { readonly signal: AbortSignal },
): Promise<Exclude<RunState, { at: "running" }>> {
  const { signal } = options;
  let state = await inspectRun(runDir, options);
  for (let waitedMs = 0; state.at === "running" && !signal.aborted; waitedMs += askEveryMs) {
    if (waitedMs % wakeEveryMs === 0) wake(-state.supervisorPid);
    await delay(askEveryMs, undefined, { signal }).catch(() => {
      // Aborted: the loop ends.
    });
    state = await inspectRun(runDir, options);
  }
  if (state.at === "lost") {
    // One half of a supervisor may be ending the command, and will record it.
    await delay(patienceMs / 4);
  }
  if (state.at === "running" || state.at === "lost") await endRun(runDir);
  const last = await inspectRun(runDir, options);
  return last.at === "running"
    ? { at: "lost", reason: "supervisor_gone", output: await readOutput(runDir) }
    : last;
}

/**
 * Ends everything of a run that is still there, its supervisor too: what a command left running, or what a
 * killed supervisor left behind. A run that had not ended is then recorded as cancelled, or as lost. Gives how
 * many processes of the command it ended. Not for a run that this process waits for: abort that.
 */
export async function endRun(runDir: string): Promise<number> {
  const owner = (await readClaim(runDir))?.owner;
  if (!owner) return 0;
  const isAlive = await isSupervisor(owner.pid, runDir);
  const cause = isAlive ? "cancelled" : "lost";
  const isOurs = await claimEnd(runDir, cause);
  const ended = await sweep(owner.marker);
  // The recorder leaves the status of a command that was killed.
  if (isAlive) await delay(askEveryMs);
  if (isOurs) await recordEnd(runDir);
  if (isAlive) kill(-owner.pid);
  return ended;
}

function hasRebooted({ startedInBoot, currentBoot }: InspectOptions): boolean {
  return Boolean(startedInBoot && currentBoot && startedInBoot !== currentBoot);
}

/** A process id may have been given to another process since: this one has the run folder as an argument. */
async function isSupervisor(pid: number, runDir: string): Promise<boolean> {
  if (process.platform !== "linux") return (await psCommand(pid)).includes(runDir);
  try {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0").includes(runDir);
  } catch {
    // There is no such process.
    return false;
  }
}

function psCommand(pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile("ps", ["-ww", "-o", "command=", "-p", `${pid}`], (_error, stdout) => resolve(stdout));
  });
}
