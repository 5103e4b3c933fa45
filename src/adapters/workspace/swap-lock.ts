import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errnoOf } from "./trouble.ts";

/** Milliseconds after which a lock counts as left behind: it is held for a few system calls only. */
const staleMs = 2_000;
const pauseMs = 2;

/**
 * Does something to a file while no other session does: the last look and the rename are one step for all of them,
 * also on other machines. Whoever holds the lock never waits. @throws what `work` throws
 */
export async function withSwapLock<Result>(
  lock: string | Buffer,
  work: () => Result,
): Promise<Result> {
  while (!take(lock)) {
    if (isLeftBehind(lock)) removeLock(lock);
    else await sleep(pauseMs);
  }
  try {
    return work();
  } finally {
    removeLock(lock);
  }
}

function take(lock: string | Buffer): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(lock, "wx", 0o600);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  writeSync(descriptor, String(process.pid));
  closeSync(descriptor);
  return true;
}

function isLeftBehind(lock: string | Buffer): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > staleMs) return true;
    const holder = Number(readFileSync(lock, "utf8"));
    return holder > 0 && !isAlive(holder);
  } catch {
    // Gone in this moment: the next try takes it.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}

function removeLock(lock: string | Buffer): void {
  try {
    unlinkSync(lock);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
