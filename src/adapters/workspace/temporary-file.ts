import { constants, unlinkSync, type Stats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { errnoOf } from "./trouble.ts";

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a new file, synced, in the place of a leftover; says what of mode and owner could not be kept. */
export async function writeTemporary(
  temporary: string | Buffer,
  how: { readonly bytes: Uint8Array; readonly like: Stats | null },
): Promise<readonly string[]> {
  removeIfThere(temporary);
  const handle = await open(temporary, newFile, 0o666);
  try {
    const notes = how.like === null ? [] : await keepOwnerAndMode(handle, how.like);
    await handle.writeFile(how.bytes);
    await handle.sync();
    return notes;
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, before: Stats): Promise<readonly string[]> {
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

export function removeQuietly(path: string | Buffer): void {
  try {
    removeIfThere(path);
  } catch {
    // A leftover of a known name is removed by the next attempt or the probe.
  }
}

export function removeIfThere(path: string | Buffer): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
