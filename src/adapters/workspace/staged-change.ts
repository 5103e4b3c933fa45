import { createHash } from "node:crypto";
import {
  constants,
  linkSync,
  lstatSync,
  readFileSync,
  renameSync,
  unlinkSync,
  type Stats,
} from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Hash } from "#core";
import type { CrashPoint } from "#runtime";
import { holdFolder, makeFolder, type HeldFolder } from "./held-folder.ts";
import { hashOf } from "./hashes.ts";
import { diskName } from "./names.ts";
import { withSwapLock } from "./swap-lock.ts";
import { removeIfThere, removeQuietly, writeTemporary } from "./temporary-file.ts";
import { errnoOf, isTrouble, trouble, troubleOf, type Trouble } from "./trouble.ts";

/** A file as it was read; the bytes are looked at again where times cannot tell. */
export interface FileBefore {
  readonly stats: Stats;
  readonly hash: Hash;
}

export interface Replacement {
  /** Real path. */
  readonly path: string;
  /** New content; null removes the file. */
  readonly bytes: Uint8Array | null;
  /** The file as it was read; null = there must be none. */
  readonly before: FileBefore | null;
  /** The file whose mode and owner the new one gets; null: by the umask. */
  readonly like: Stats | null;
  /** Name of the temporary file, in the same folder; a leftover of that name is removed. */
  readonly temporary: string;
  readonly crash: CrashPoint;
}

/** What could not be kept, in words; usually empty. */
export type Notes = readonly string[];

/** A change that is ready: its new bytes are on disk beside the file. Ends with `swap` or `drop`. */
export interface StagedChange {
  /** Why it must not be done any more; null while the file is as it was. */
  check(): Trouble | null;
  /** Does it, unless the file has changed; synced. */
  swap(): Promise<Notes | Trouble>;
  /** Leaves everything as it was. */
  drop(): Promise<void>;
}

/** Writes the temporary file, synced; changes nothing else but folders that are missing. */
export async function stageChange(replacement: Replacement): Promise<StagedChange | Trouble> {
  const { path, bytes, before, crash } = replacement;
  const refused = before === null ? null : await unwritable(path);
  if (refused !== null) return refused;
  const folder = await makeFolder(dirname(path));
  if (isTrouble(folder)) return folder;
  try {
    crash("before_temp");
    const notes =
      bytes === null
        ? []
        : await writeTemporary(folder.inside(replacement.temporary), { ...replacement, bytes });
    crash("after_temp");
    return staged(folder, replacement, notes);
  } catch (error) {
    removeQuietly(folder.inside(replacement.temporary));
    await folder.close();
    return troubleOf(error, path);
  }
}

/** A change that a killed process had staged; trouble when its temporary file does not hold these bytes. */
export async function stagedBefore(
  replacement: Omit<Replacement, "bytes"> & { readonly after: Hash | null },
): Promise<StagedChange | Trouble> {
  const { path, after } = replacement;
  const folder = await holdFolder(dirname(path));
  if (isTrouble(folder)) return folder;
  try {
    const temporary = folder.inside(replacement.temporary);
    if (after === null) return staged(folder, { ...replacement, bytes: null }, []);
    const bytes = readFileSync(temporary);
    if (hashOf(bytes) === after) return staged(folder, { ...replacement, bytes }, []);
  } catch {
    // Not there, or not to be read: the same as other bytes.
  }
  await folder.close();
  return trouble("changed", `${path}: the new content that was prepared is not there any more.`);
}

function staged(folder: HeldFolder, replacement: Replacement, notes: Notes): StagedChange {
  const { path, bytes, before, crash } = replacement;
  const temporary = folder.inside(replacement.temporary);
  const target = folder.inside(basename(path));
  const check = (): Trouble | null => changedTrouble(target, replacement);
  const put = (): Trouble | null => {
    const changed = check();
    if (changed !== null) return changed;
    if (bytes === null) unlinkSync(target);
    else if (before === null) renameToNew(temporary, target);
    else renameSync(temporary, target);
    return null;
  };
  return {
    check,
    async swap() {
      try {
        crash("before_rename");
        const changed = await withSwapLock(folder.inside(lockName(path)), put);
        if (changed !== null) {
          removeQuietly(temporary);
          return changed;
        }
        crash("after_rename");
        return [...notes, ...(await syncNotes(folder))];
      } catch (error) {
        removeQuietly(temporary);
        return errnoOf(error) === "EEXIST" ? appeared(path) : troubleOf(error, path);
      } finally {
        await folder.close();
      }
    },
    async drop() {
      removeQuietly(temporary);
      await folder.close();
    },
  };
}

/** The same for all sessions, whatever the length of the file's name. */
const lockName = (path: string): string =>
  `.pawl-lock-${createHash("sha256").update(basename(path)).digest("hex").slice(0, 16)}`;

/** The file has its new content by now, so this is no failure any more. */
async function syncNotes(folder: HeldFolder): Promise<Notes> {
  try {
    await folder.sync();
    return [];
  } catch {
    // Some network file systems cannot sync a folder.
    return [
      "its folder could not be synced: a power cut in this moment may bring the old file back",
    ];
  }
}

/** A rename needs rights on the folder only; a read-only file is still meant to stay as it is. */
async function unwritable(path: string): Promise<Trouble | null> {
  try {
    await access(diskName(path), constants.W_OK);
    return null;
  } catch (error) {
    return troubleOf(error, path);
  }
}

/** Milliseconds; two changes of a file this near to each other may have the same time. */
const coarseMs = 100;

/** The last look before the rename. */
function changedTrouble(
  target: string | Buffer,
  { path, before }: Pick<Replacement, "path" | "before">,
): Trouble | null {
  const now = lstatSync(target, { throwIfNoEntry: false });
  if (before === null) return now === undefined ? null : appeared(path);
  const { stats, hash } = before;
  const isSame =
    now !== undefined &&
    now.dev === stats.dev &&
    now.ino === stats.ino &&
    now.size === stats.size &&
    now.mtimeMs === stats.mtimeMs;
  if (!isSame) return changedMeanwhile(path);
  if (Math.abs(Date.now() - now.mtimeMs) > coarseMs) return null;
  return hashOf(readFileSync(target)) === hash ? null : changedMeanwhile(path);
}

const appeared = (path: string): Trouble =>
  trouble(
    "changed",
    `${path} was made by someone else in this moment; it was not overwritten. Read it, then decide.`,
  );

export const changedMeanwhile = (path: string): Trouble =>
  trouble(
    "changed",
    `${path} was changed by someone else in this moment; nothing was overwritten. Read it again, then repeat the call.`,
  );

/** Unlike a rename, a link never replaces what stands there. */
function renameToNew(temporary: string | Buffer, target: string | Buffer): void {
  try {
    linkSync(temporary, target);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw error;
    // A file system without hard links.
    renameSync(temporary, target);
    return;
  }
  removeQuietly(temporary);
}

/** Removes the temporary file that a killed run may have left; the folder need not exist. */
export async function removeTemporary(path: string, temporary: string): Promise<void> {
  const folder = await holdFolder(dirname(path));
  if (isTrouble(folder)) return;
  try {
    removeIfThere(folder.inside(temporary));
  } finally {
    await folder.close();
  }
}
