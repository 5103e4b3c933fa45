import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type * as Sqlite from "node:sqlite";

import { PawlError, type SessionId } from "#core";
import type { Clock } from "#runtime";
import { journalLocked } from "../store-errors.ts";

const lockName = "lock";
/** Says for people who holds the lease. It is a hint: the lock decides. */
const ownerName = "owner.json";

/** SQLITE_BUSY: somebody else holds the lock. */
const busy = 5;
/** Whoever only looks holds the lock for well under a millisecond. */
const tries = 4;
const pauseMs = 10;

/** The right to write one session. */
export interface Lease {
  /** Writes down the owner; `folder` is where the session will be found. */
  announce(folder: string): void;
  release(): void;
}

/**
 * Takes the lease: an exclusive SQLite lock on a small file, which the kernel frees when the process dies. Nothing else
 * in this process may open that file, because closing any handle of it frees the lock (POSIX locks are per process).
 * @throws PawlError `journal_locked`, `journal_unreadable` when the lock file is none
 */
export async function takeLease(
  folder: string,
  owned: { readonly id: SessionId; readonly clock: Clock },
): Promise<Lease> {
  const lock = await lockFile(join(folder, lockName)).catch((error: unknown) => {
    throw isBusy(error) ? inUse(owned.id, folder) : noLock(join(folder, lockName), error);
  });
  let ownerPath: string | null = null;
  return {
    announce(home) {
      ownerPath = join(home, ownerName);
      try {
        const owner = { pid: process.pid, since: new Date(owned.clock.now()).toISOString() };
        writeFileSync(ownerPath, JSON.stringify(owner), { mode: 0o600 });
      } catch {
        // A full disk must not keep anybody from opening a session; the lock holds without the note.
      }
    },
    release() {
      if (ownerPath !== null) rmSync(ownerPath, { force: true });
      lock.close();
    },
  };
}

/** Is a live writer at work? Looks without taking anything that a writer would have to wait for. */
export function isLeased(folder: string): boolean {
  // A writer that closed took its note away; only a note left behind (alive or killed) is worth a look at the lock.
  if (readOwner(folder) === null) return false;
  try {
    const lock = new (loadSqlite().DatabaseSync)(join(folder, lockName), { readOnly: true });
    try {
      lock.exec("SELECT 1 FROM sqlite_schema");
    } finally {
      lock.close();
    }
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

async function lockFile(path: string): Promise<Sqlite.DatabaseSync> {
  const lock = new (loadSqlite().DatabaseSync)(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    for (let left = tries; ; left -= 1) {
      try {
        // A rollback journal on disk would need room on a full one, and would outlive a kill.
        lock.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
        return lock;
      } catch (error) {
        if (!isBusy(error) || left <= 1) throw error;
        await pause(pauseMs);
      }
    }
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Loaded when first needed; the warning of older Nodes that it is experimental is not for users. */
function loadSqlite(): typeof Sqlite {
  const emitWarning = Reflect.get(process, "emitWarning");
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === busy;
}

function readOwner(folder: string): string | null {
  try {
    return readFileSync(join(folder, ownerName), "utf8");
  } catch {
    // Nobody has left a note.
    return null;
  }
}

function inUse(id: SessionId, folder: string): PawlError {
  const note = /^\{"pid":(\d+),"since":"([\dTZ:.-]+)"\}$/.exec(readOwner(folder) ?? "");
  const owner = note === null ? "another process" : `process ${note[1]} since ${note[2]}`;
  return journalLocked(id, owner);
}

function noLock(path: string, cause: unknown): PawlError {
  return new PawlError(
    "journal_unreadable",
    `${path} cannot be locked (${cause instanceof Error ? cause.message : String(cause)}). If the folder can be written and no other process uses the session, remove the file.`,
    { cause, values: { path } },
  );
}
