import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { isPawlError, type PawlError, sessionId, type SessionId } from "#core";
import type { Clock, CrashPoint } from "#runtime";
import { makeFolders, syncFolder } from "../../system/index.ts";
import { sessionExists } from "../store-errors.ts";
import { errorCode, journalFailed } from "./disk.ts";
import { writeIdentity } from "./identity.ts";
import {
  blobsName,
  draftPrefix,
  folderKey,
  namesIn,
  runsName,
  sessionsFolder,
  spoolName,
} from "./layout.ts";
import { type Lease, takeLease } from "./lease.ts";

const youngDraftMs = 60_000;

export interface NewSession {
  readonly home: string;
  readonly id: SessionId;
  /** Real path. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly crash: CrashPoint;
}

/**
 * Makes the folder of a session under a name nobody looks at, lets `fill` write into it, and shows it whole by one rename.
 * Killed at any moment, there is a complete session or none.
 * @throws PawlError `session_exists`, `journal_failed`
 */
export async function publishSession(
  session: NewSession,
  fill: (draft: string) => Promise<void>,
): Promise<{ readonly folder: string; readonly lease: Lease }> {
  const { home, id, cwd, clock, crash } = session;
  const parent = join(sessionsFolder(home), folderKey(cwd));
  const folder = join(parent, id);
  let draft: string | null = null;
  let lease: Lease | null = null;
  try {
    const made = await makeFolders(parent, 0o700);
    draft = await mkdtemp(join(parent, draftPrefix));
    lease = await takeLease(draft, { id, clock });
    // What cannot be swept now is swept another time.
    await sweepDrafts(parent, { than: draft, clock }).catch(() => {});
    for (const name of [blobsName, runsName, spoolName]) {
      await mkdir(join(draft, name), { mode: 0o700 });
    }
    await fill(draft);
    await writeIdentity(draft, { cwd, createdAt: clock.now() });
    await syncFolder(draft);
    crash("session.before_rename");
    await rename(draft, folder);
    crash("session.after_rename");
    await syncUpTo(dirname(made ?? folder), parent);
    return { folder, lease };
  } catch (error) {
    if (draft !== null) await rm(draft, { recursive: true, force: true }).catch(() => {});
    lease?.release();
    throw asPawlError(error, id);
  }
}

/** Folders made by one `mkdir`, from the last one up to the parent of the first. */
async function syncUpTo(top: string, from: string): Promise<void> {
  await syncFolder(from);
  if (from !== top) await syncUpTo(top, dirname(from));
}

/** Deletes drafts and removed sessions whose process died; one that was just begun may not hold its lease yet. */
async function sweepDrafts(
  parent: string,
  older: { readonly than: string; readonly clock: Clock },
): Promise<void> {
  const names = (await namesIn(parent)).filter((name) => name.startsWith(draftPrefix));
  const { mtimeMs: now } = await stat(older.than);
  for (const draft of names.map((name) => join(parent, name))) {
    const { mtimeMs } = await stat(draft);
    if (now - mtimeMs < youngDraftMs) continue;
    const lease = await takeLease(draft, { id: sessionId(draft), clock: older.clock }).catch(
      () => null,
    );
    if (lease === null) continue;
    try {
      await rm(draft, { recursive: true, force: true });
    } finally {
      lease.release();
    }
  }
}

function asPawlError(error: unknown, id: SessionId): PawlError {
  if (isPawlError(error)) return error;
  const code = errorCode(error);
  if (code !== "ENOTEMPTY" && code !== "EEXIST") return journalFailed("Making the session", error);
  return sessionExists(id);
}
