import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Damage } from "#runtime";
import { syncFolder } from "../../system/index.ts";
import { errorCode, journalFailed } from "./disk.ts";
import type { Opened } from "./log.ts";
import type { Tail } from "./writer.ts";

/**
 * Cuts what follows the last intact line and keeps its bytes in `journal.torn-<n>` beside it; ends that line if it has
 * no newline. Killed in the middle, the next opening does it again.
 * @throws PawlError `journal_failed`
 */
export async function mendTail(
  path: string,
  opened: Opened,
): Promise<{ readonly tail: Tail; readonly damage: readonly Damage[] }> {
  const { position, endsLine } = opened;
  const { seq, prev, offset } = position;
  const tail = { seq, prev, bytes: endsLine ? offset : offset + 1 };
  if (opened.bytes === offset && endsLine) return { tail, damage: [] };
  try {
    const file = await open(path, constants.O_RDWR | constants.O_APPEND);
    try {
      const damage = opened.tail.length === 0 ? [] : [await setAside(file, path, opened)];
      await file.truncate(offset);
      if (!endsLine) await file.write("\n");
      await file.sync();
      return { tail, damage };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw journalFailed("Mending the end of the journal", error);
  }
}

async function setAside(file: FileHandle, path: string, opened: Opened): Promise<Damage> {
  const { position, bytes } = opened;
  const name = await keepBytes(file, path, position.offset);
  const message = `The end of the journal was torn: ${bytes - position.offset} bytes after entry ${position.seq} were moved to ${name}.`;
  return { kind: "torn_tail", line: position.line + 1, message };
}

const chunkBytes = 1024 * 1024;

/** Returns the name of the file that keeps everything after `from`. */
async function keepBytes(source: FileHandle, path: string, from: number): Promise<string> {
  const { file: target, name } = await createNumbered(path);
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let offset = from; ;) {
      const { bytesRead } = await source.read(chunk, 0, chunk.length, offset);
      if (bytesRead === 0) break;
      await target.writeFile(chunk.subarray(0, bytesRead));
      offset += bytesRead;
    }
    await target.sync();
  } finally {
    await target.close();
  }
  await syncFolder(dirname(path));
  return name;
}

async function createNumbered(
  path: string,
): Promise<{ readonly file: FileHandle; readonly name: string }> {
  for (let number = 1; ; number += 1) {
    const name = `journal.torn-${number}`;
    try {
      return { file: await open(join(dirname(path), name), "wx", 0o600), name };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}
