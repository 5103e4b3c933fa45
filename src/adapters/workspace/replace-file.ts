import { constants, type Stats } from "node:fs";
import { access, link, lstat, open, rename, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { CrashPoint } from "#runtime";
import { holdFolder, makeFolder, type HeldFolder } from "./held-folder.ts";
import { diskName } from "./names.ts";
import { errnoOf, isTrouble, trouble, troubleOf, type Trouble } from "./trouble.ts";

export interface Replacement {
  /** Real path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The file as it was read; null = there must be none. */
  readonly before: Stats | null;
  /** Name of the temporary file, in the same folder; a leftover of that name is removed. */
  readonly temporary: string;
  readonly signal: AbortSignal;
  readonly crash: CrashPoint;
}

/** What could not be kept, in words; usually empty. */
export type Notes = readonly string[];

/**
 * Puts new bytes in place of a file, or makes it: a temporary file beside it, synced, then renamed over it, then
 * the folder synced. At every moment the file is the old one or the new one. Mode and owner are kept; a new file
 * gets its mode from the umask. A file that changed since `before` is not replaced.
 */
export async function replaceFile(replacement: Replacement): Promise<Notes | Trouble> {
  const { path, before } = replacement;
  const refused = before === null ? null : await unwritable(path);
  if (refused !== null) return refused;
  const folder = await makeFolder(dirname(path));
  if (isTrouble(folder)) return folder;
  try {
    return await replaceInside(folder, replacement);
  } finally {
    await folder.close();
  }
}

async function replaceInside(
  folder: HeldFolder,
  replacement: Replacement,
): Promise<Notes | Trouble> {
  const { path, before, signal, crash } = replacement;
  const temporary = folder.inside(replacement.temporary);
  try {
    crash("before_temp");
    const notes = await writeTemporary(temporary, replacement);
    crash("after_temp");
    const target = folder.inside(basename(path));
    const changed = await changedTrouble(target, replacement);
    if (changed !== null || signal.aborted) {
      await unlink(temporary);
      return changed ?? trouble("stopped", `${path}: stopped before anything was changed.`);
    }
    crash("before_rename");
    await (before === null ? renameToNew(temporary, target) : rename(temporary, target));
    crash("after_rename");
    return [...notes, ...(await syncNotes(folder))];
  } catch (error) {
    await removeQuietly(temporary);
    if (errnoOf(error) === "EEXIST") return appeared(path);
    return troubleOf(error, path);
  }
}

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

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

async function writeTemporary(temporary: string | Buffer, how: Replacement): Promise<Notes> {
  await removeIfThere(temporary);
  const handle = await open(temporary, newFile, 0o666);
  try {
    const notes = how.before === null ? [] : await keepOwnerAndMode(handle, how.before);
    await handle.writeFile(how.bytes);
    await handle.sync();
    return notes;
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, before: Stats): Promise<Notes> {
  const notes: string[] = [];
  const own = await handle.stat();
  if (own.uid !== before.uid || own.gid !== before.gid) {
    try {
      await handle.chown(before.uid, before.gid);
    } catch {
      // Only root may give files away; the content matters more than the owner, and the note says it.
      notes.push(`its owner could not be kept (was ${before.uid}:${before.gid})`);
    }
  }
  await handle.chmod(before.mode & 0o7777);
  if (before.nlink > 1) {
    notes.push(
      `it had ${before.nlink} hard links: the other ${before.nlink === 2 ? "name keeps" : "names keep"} the old content`,
    );
  }
  return notes;
}

/** The last look before the rename. */
async function changedTrouble(
  target: string | Buffer,
  { path, before }: Replacement,
): Promise<Trouble | null> {
  let now: Stats | null = null;
  try {
    now = await lstat(target);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  if (before === null) return now === null ? null : appeared(path);
  const isSame =
    now !== null &&
    now.dev === before.dev &&
    now.ino === before.ino &&
    now.size === before.size &&
    now.mtimeMs === before.mtimeMs;
  return isSame ? null : changedMeanwhile(path);
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
async function renameToNew(temporary: string | Buffer, target: string | Buffer): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw error;
    // A file system without hard links.
    await rename(temporary, target);
    return;
  }
  await removeQuietly(temporary);
}

async function removeQuietly(path: string | Buffer): Promise<void> {
  try {
    await removeIfThere(path);
  } catch {
    // A leftover of a known name is removed by the next attempt or the probe.
  }
}

async function removeIfThere(path: string | Buffer): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Removes the temporary file that a killed run may have left; the folder need not exist. */
export async function removeTemporary(path: string, temporary: string): Promise<void> {
  const folder = await holdFolder(dirname(path));
  if (isTrouble(folder)) return;
  try {
    await removeIfThere(folder.inside(temporary));
  } finally {
    await folder.close();
  }
}
