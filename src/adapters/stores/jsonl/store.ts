import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { isPawlError, type SessionId } from "#core";
import type { Clock, CrashPoint, Journal, SessionInfo, Store } from "#runtime";
import { syncFolder } from "../../system/index.ts";
import { newestFirst } from "../order.ts";
import { requireSessionName } from "../session-name.ts";
import { sessionExists, sessionInUse, sessionNotFound } from "../store-errors.ts";
import { journalFailed } from "./disk.ts";
import { publishSession } from "./draft.ts";
import { copySession } from "./fork.ts";
import { openForWriting, openReader } from "./journal.ts";
import {
  draftPrefix,
  findSessionFolder,
  journalName,
  realFolder,
  sessionFolders,
} from "./layout.ts";
import { takeLease } from "./lease.ts";
import { requireLocalDisk } from "./local-disk.ts";
import { readSessionInfo } from "./session-info.ts";

/** Sessions read before others get a turn: a few milliseconds. */
const listedAtOnce = 50;

export interface JsonlStoreOptions {
  /** Sessions live in `<home>/sessions`. */
  readonly home: string;
  readonly clock: Clock;
  readonly crash?: CrashPoint;
}

/** Sessions as folders of JSON lines (docs/boundaries/journal.md). Touches nothing before it is used. */
export function jsonlStore({ home, clock, crash = () => {} }: JsonlStoreOptions): Store {
  async function existing(id: SessionId): Promise<string> {
    const folder = await findSessionFolder(home, id);
    if (folder === null) throw sessionNotFound(id);
    return folder;
  }

  async function publish(
    target: { readonly id: SessionId; readonly cwd: string },
    fill: (draft: string) => Promise<void>,
  ): Promise<Journal> {
    const { id } = target;
    requireSessionName(id);
    requireLocalDisk(home);
    if ((await findSessionFolder(home, id)) !== null) throw sessionExists(id);
    const cwd = await realFolder(target.cwd);
    const { folder, lease } = await publishSession({ home, id, cwd, clock, crash }, fill);
    return openForWriting(folder, { lease, crash });
  }

  return {
    create: (target) => publish(target, emptyJournal),
    async fork(source, target) {
      const folder = await existing(source.id);
      return publish(target, (draft) => copySession({ ...source, folder }, draft));
    },
    async open(id, mode) {
      const folder = await existing(id);
      if (mode === "reader") return openReader(folder);
      requireLocalDisk(home);
      return openForWriting(folder, { lease: await takeLease(folder, { id, clock }), crash });
    },
    async list(options = {}) {
      const cwd = options.cwd === undefined ? null : await realFolder(options.cwd);
      const infos: SessionInfo[] = [];
      for (const [index, folder] of (await sessionFolders(home, cwd)).entries()) {
        if (index % listedAtOnce === 0) await nextTurn();
        const info = await readSessionInfo(folder);
        // A session too damaged to say where it belongs is listed where it lies.
        if (info !== null && (cwd === null || info.cwd === cwd || info.cwd === ""))
          infos.push(info);
      }
      return infos.toSorted(newestFirst);
    },
    async remove(id) {
      const folder = await existing(id);
      const lease = await takeLease(folder, { id, clock }).catch((error: unknown) => {
        throw isPawlError(error, "journal_locked") ? sessionInUse(id, error) : error;
      });
      try {
        await removeFolder(folder);
      } catch (error) {
        throw journalFailed("Removing the session", error);
      } finally {
        lease.release();
      }
    },
  };
}

/** Not synced: its first append does that. */
async function emptyJournal(draft: string): Promise<void> {
  await writeFile(join(draft, journalName), "", { mode: 0o600, flag: "wx" });
}

/** Gone at once for everybody; what a kill leaves of it is swept with the drafts. */
async function removeFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  const removed = join(
    parent,
    `${draftPrefix}removed-${process.pid}-${Math.trunc(performance.now())}`,
  );
  await rename(folder, removed);
  await syncFolder(parent);
  await rm(removed, { recursive: true, force: true });
}
