import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a whole file so that whoever opens it, now or after a power cut, finds the old bytes or the new ones:
 * temporary file beside it, sync, rename, sync of the folder. Throws the error of the file system.
 * @param mode of the new file
 */
export async function writeFileAtomic(
  path: string,
  bytes: string | Uint8Array,
  mode: number = 0o600,
): Promise<void> {
  await replaceFile(path, bytes, mode);
  await syncFolder(dirname(path));
}

/** The same without the sync of the folder: after a power cut the old file may be back until the caller has done that. */
export async function replaceFile(
  path: string,
  bytes: string | Uint8Array,
  mode: number = 0o600,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Makes what was created or renamed in a folder last. Windows cannot do it and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
