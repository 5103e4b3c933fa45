/** What every store says in the same words. */
import { PawlError, type SessionId } from "#core";

export const sessionNotFound = (id: string): PawlError =>
  new PawlError(
    "session_not_found",
    `There is no session ${JSON.stringify(id.slice(0, 80))}. List the sessions to see which there are.`,
    { values: { id } },
  );

export const sessionExists = (id: SessionId): PawlError =>
  new PawlError("session_exists", `There is a session ${id} already. Take another id.`);

export const sessionInUse = (id: SessionId, cause?: unknown): PawlError =>
  new PawlError("session_in_use", `Session ${id} is in use and was not removed. Close it first.`, {
    cause,
    values: { id },
  });

export const seqNotFound = (id: SessionId, wanted: { seq: number; last: number }): PawlError =>
  new PawlError(
    "seq_not_found",
    `Session ${id} has no entry ${wanted.seq}; its last one is ${wanted.last}.`,
  );

export const blobMissing = (name: string): PawlError =>
  new PawlError(
    "blob_missing",
    `The blob ${name.slice(0, 64)} of this session is missing or damaged. Restore the session's folder from a backup, or go on without it.`,
    { values: { name: name.slice(0, 64) } },
  );

export const journalClosed = (id: SessionId): PawlError =>
  new PawlError("journal_closed", `Session ${id} was closed. Open it again to change it.`);

export const journalReadOnly = (id: SessionId): PawlError =>
  new PawlError(
    "journal_read_only",
    `Session ${id} was opened for reading. Open it for writing to change it.`,
  );

export const journalLocked = (id: SessionId, owner: string): PawlError =>
  new PawlError(
    "journal_locked",
    `Session ${id} is in use by ${owner}. Close it there, open it for reading, or fork it.`,
    { values: { id } },
  );
