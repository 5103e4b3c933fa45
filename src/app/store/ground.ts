import { findSession, jsonlStore } from "#adapters/stores";
import { crashPointFrom, systemClock, systemEntropy } from "#adapters/system";
import { isPawlError } from "#core";
import {
  type Clock,
  type CrashPoint,
  type Entropy,
  type Found,
  type SessionInfo,
  type Store,
} from "#runtime";
import type { Settings } from "../config/index.ts";
import { lookIntoSource } from "./open-journal.ts";

/** Where sessions are kept, and the machine beneath. */
export interface Ground {
  readonly store: Store;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly crash: CrashPoint;
}

/** Touches nothing before it is used. */
export function groundOf({ home, environment }: Pick<Settings, "home" | "environment">): Ground {
  const clock = systemClock();
  // A test may want this process to die at a named place.
  const crash = crashPointFrom(environment) ?? (() => {});
  const store = jsonlStore({ home: home.folder, clock, crash });
  return { store, clock, entropy: systemEntropy(clock), crash };
}

export { findSession };

/** The latest session of a folder in which something was asked; null when there is none. */
export async function latestSession(store: Store, cwd: string): Promise<SessionInfo | null> {
  const sessions = await store.list({ cwd });
  return sessions.find(({ title }) => title !== "") ?? sessions[0] ?? null;
}

export interface Unfinished {
  readonly info: SessionInfo;
  readonly found: Found;
}

/** The latest session of a folder when its run has not come to an end and nobody works on it; changes nothing. */
export async function unfinishedSession(store: Store, cwd: string): Promise<Unfinished | null> {
  const info = await latestSession(store, cwd);
  if (info === null || info.inUse) return null;
  try {
    const found = await lookIntoSource(store, info);
    return found?.running ? { info, found } : null;
  } catch (error) {
    // What cannot be read cannot be offered; it is said when the user asks for that session by name.
    if (isPawlError(error, "journal_unreadable") || isPawlError(error, "journal_newer"))
      return null;
    throw error;
  }
}
