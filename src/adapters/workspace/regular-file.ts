import { constants, fstatSync, lstatSync, type Stats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { diskName } from "./names.ts";
import { realPath } from "./paths.ts";
import { isTrouble, trouble, troubleOf, type Trouble } from "./trouble.ts";

export interface OpenFile {
  /** The caller closes it. */
  readonly handle: FileHandle;
  readonly stats: Stats;
}

// Never waits: a FIFO without a writer opens at once and is then refused.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Another session may replace the file just while it is opened; a link in its place stays there. */
const mostTries = 5;

/**
 * Opens a regular file by its real path and proves that what was opened is what stands at that path: a link
 * put there after the path was judged is an error, never followed. Only opening may take long (a network disk that
 * has gone) and leaves this thread; looking is one system call, like the real path before it.
 */
export async function openRegular(path: string): Promise<OpenFile | Trouble> {
  for (let tries = 1; ; tries++) {
    const opened = await openOnce(path);
    if (!isTrouble(opened) || opened.code !== "moved" || tries === mostTries) return opened;
  }
}

async function openOnce(path: string): Promise<OpenFile | Trouble> {
  let handle: FileHandle | null = null;
  try {
    const name = diskName(path);
    // Opening a device can do something; look first.
    const wrong = kindTrouble(lstatSync(name), path);
    if (wrong !== null) return wrong;
    handle = await open(name, readFlags);
    const stats = fstatSync(handle.fd);
    const problem = kindTrouble(stats, path) ?? movedTrouble(path, stats);
    if (problem === null) {
      const file = { handle, stats };
      handle = null;
      return file;
    }
    return problem;
  } catch (error) {
    return troubleOf(error, path);
  } finally {
    await handle?.close();
  }
}

/**
 * Null when the path still is its own real path and leads to the very file that was opened.
 * @throws what looking at the path throws
 */
export function movedTrouble(path: string, opened: Stats): Trouble | null {
  const now = lstatSync(diskName(path));
  if (realPath(path) === path && now.dev === opened.dev && now.ino === opened.ino) return null;
  return trouble(
    "moved",
    `${path} was replaced or became a link while it was opened; nothing was read or changed. Try again.`,
  );
}

/** What stands at a path is not a regular file: says what it is; null when it is one. */
export function kindTrouble(stats: Stats, shown: string): Trouble | null {
  if (stats.isFile()) return null;
  if (stats.isDirectory()) {
    return trouble(
      "is_directory",
      `${shown} is a folder, not a file. Use list to see what it holds.`,
    );
  }
  if (stats.isSymbolicLink()) {
    return trouble("moved", `${shown} became a symbolic link just now; nothing was touched.`);
  }
  return trouble("not_regular_file", `${shown} is ${kindName(stats)}, not a regular file.`);
}

function kindName(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe (FIFO)";
  if (stats.isSocket()) return "a socket";
  if (stats.isCharacterDevice()) return "a character device";
  return stats.isBlockDevice() ? "a block device" : "something";
}

/** Everything in an open file, up to a number of bytes; `null` when it holds more. */
export async function readAll(file: OpenFile, mostBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Sizes lie for /proc and for files that grow, so the end of file decides.
  for (;;) {
    const room = Math.min(Math.max(file.stats.size - bytes, 0) + 1, 1 << 24) + 4096;
    const chunk = Buffer.allocUnsafe(room);
    const { bytesRead } = await file.handle.read(chunk, 0, room, bytes);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    bytes += bytesRead;
    if (bytes > mostBytes) return null;
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
