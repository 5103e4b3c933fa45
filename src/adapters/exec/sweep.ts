import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { PawlError } from "#core";

const rounds = 200;
const betweenRoundsMs = 5;
const fewPids = 500;

/**
 * Ends, by SIGKILL, every process whose environment carries the marker, and whatever they start meanwhile.
 * Linux: exact, but for processes that changed their environment or belong to another user. Elsewhere: those that `ps` shows. Gives how many it ended.
 */
export async function sweep(marker: string): Promise<number> {
  const ended = new Set<number>();
  // A process in the middle of an exec shows no environment: only the second empty look counts.
  for (let round = 0, empty = 0; round < rounds && empty < 2; round += 1) {
    const found = await survivors(marker);
    empty = found.length === 0 ? empty + 1 : 0;
    for (const pid of found) {
      if (kill(pid)) ended.add(pid);
    }
    await delay(betweenRoundsMs);
  }
  return ended.size;
}

/** Processes that carry the marker. `since`: a process that is older than all of them, which makes it cheap. */
export async function survivors(marker: string, since = 0): Promise<readonly number[]> {
  checkMarker(marker);
  const found = process.platform === "linux" ? inProc(marker, since) : await inPs(marker);
  return found.filter((pid) => pid !== process.pid);
}

/** A short or strange marker would match processes that are none of ours. */
export function checkMarker(marker: string): void {
  if (/^[\w-]{8,100}$/.test(marker)) return;
  throw new PawlError(
    "marker_invalid",
    `The marker of a run is ${JSON.stringify(marker.slice(0, 20))}. Use 8 to 100 letters, digits, "_" or "-" that no other run has.`,
  );
}

/** SIGKILL to a process, or to a group if negative; false if there is none any more. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself, or is not ours to end.
    return false;
  }
}

/** SIGCONT to a process, or to a group if negative: nothing to one that is not stopped. */
export function wake(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It ended by itself, or is not ours.
  }
}

function inProc(marker: string, since: number): number[] {
  const newest = since > 0 ? newestPid() : 0;
  const some = newest - since;
  // After one command there are a few ids to ask; reading the whole folder takes longer than the rest.
  if (since > 0 && some >= 0 && some < fewPids) {
    const ids = Array.from({ length: some }, (_, index) => since + 1 + index);
    return ids.filter((pid) => existsSync(`/proc/${pid}`) && carries(pid, marker));
  }
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && carries(pid, marker));
}

/** The process id given out last; they begin anew at the largest. */
function newestPid(): number {
  return Number(readFileSync("/proc/loadavg", "utf8").trim().split(" ").at(-1));
}

function carries(pid: number, marker: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return environment.some((one) => isMark(one, marker));
  } catch {
    // It has ended, or belongs to somebody else.
    return false;
  }
}

function isMark(assignment: string, marker: string): boolean {
  return assignment.startsWith("PAWL_CALL=") && assignment.slice(10).split(":").includes(marker);
}

function inPs(marker: string): Promise<number[]> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    execFile("ps", ["-axEww", "-o", "pid=,command="], options, (_error, stdout) => {
      const lines = stdout.split("\n").map((line) => line.trim().split(" "));
      resolve(
        lines
          .filter((words) => words.some((word) => isMark(word, marker)))
          .map(([pid]) => Number(pid)),
      );
    });
  });
}
