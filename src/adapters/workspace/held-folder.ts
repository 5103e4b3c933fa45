import { constants, existsSync } from "node:fs";
import { lstat, mkdir, open, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { diskName } from "./names.ts";
import { realPath } from "./paths.ts";
import { movedTrouble } from "./regular-file.ts";
import { errnoOf, isTrouble, trouble, troubleOf, type Trouble } from "./trouble.ts";

/** A folder kept open, so that what is done in it cannot be led elsewhere by renaming or linking its parents. */
export interface HeldFolder {
  /** By way of the open folder where the system allows it (Linux), for other programs of this process too. */
  readonly path: string;
  /** Path of something directly inside, by way of the open folder where the system allows it (Linux). */
  inside(name: string): string | Buffer;
  /** Puts names that were made, renamed or removed on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens a folder by its real path; a link in its place is an error. */
export async function holdFolder(path: string): Promise<HeldFolder | Trouble> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(diskName(path), folderFlags);
    const moved = movedTrouble(path, await handle.stat());
    if (moved !== null) {
      await handle.close();
      return moved;
    }
    return held(handle, path);
  } catch (error) {
    await handle?.close();
    return troubleOf(error, path);
  }
}

function held(handle: FileHandle, path: string): HeldFolder {
  const descriptor = `/proc/self/fd/${handle.fd}`;
  const root = existsSync(descriptor) ? descriptor : path;
  return {
    path: root,
    inside: (name) => diskName(join(root, name)),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/**
 * Holds the folder at a real path and makes it, and the folders above it, when they are missing. Each is made
 * inside its held parent, so none can be made elsewhere.
 */
export async function makeFolder(path: string): Promise<HeldFolder | Trouble> {
  if (realPath(path) !== null) return await holdFolder(path);
  const parent = await makeFolder(dirname(path));
  if (isTrouble(parent)) return parent;
  try {
    await makeInside(parent, basename(path));
    const entry = await lstat(parent.inside(basename(path)));
    if (!entry.isDirectory()) return trouble("not_a_directory", `${path} is not a folder.`);
    return await holdFolder(path);
  } catch (error) {
    return troubleOf(error, path);
  } finally {
    await parent.close();
  }
}

async function makeInside(parent: HeldFolder, name: string): Promise<void> {
  try {
    await mkdir(parent.inside(name));
    await parent.sync();
  } catch (error) {
    // Somebody else made it first: just as good.
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}
