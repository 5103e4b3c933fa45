import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

import type { RawLine } from "../chain.ts";
import { maxLineBytes } from "../line.ts";
import { unreadable } from "./disk.ts";

const chunkBytes = 256 * 1024;
const lineFeed = 0x0a;

/** A journal file opened for reading; whoever opened it closes the handle. */
export interface Source {
  readonly path: string;
  readonly handle: FileHandle;
  /** Size when it was opened. */
  readonly bytes: number;
}

/** Opens a regular file, and nothing that could block. @throws PawlError `journal_unreadable` */
export async function openSource(path: string): Promise<Source> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error("it is not a regular file");
    return { path, handle, bytes: stat.size };
  } catch (error) {
    await handle?.close();
    throw unreadable(path, error);
  }
}

/**
 * The lines of a file between two offsets, a batch for each piece read, split on LF alone. Memory is bounded by the
 * longest allowed line. The bytes of a line are good until the next batch is asked for.
 */
export async function* readLines(
  source: Source,
  range: { readonly from: number; readonly to: number },
): AsyncGenerator<readonly RawLine[]> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(0, range.to - range.from)));
  const begun = unfinishedLine();
  let offset = range.from;
  while (offset < range.to) {
    const length = Math.min(chunk.length, range.to - offset);
    const bytesRead = await readInto(source, chunk.subarray(0, length), offset);
    if (bytesRead === 0) break;
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = findLineFeed(chunk, start, bytesRead); end >= 0;) {
      lines.push(begun.finish(chunk.subarray(start, end), offset + end + 1));
      start = end + 1;
      end = findLineFeed(chunk, start, bytesRead);
    }
    begun.add(chunk.subarray(start, bytesRead));
    offset += bytesRead;
    if (lines.length > 0) yield lines;
  }
  const last = begun.finish(Buffer.alloc(0), offset);
  if (last.bytes.length > 0 || last.tooLong === true) yield [{ ...last, hasNewline: false }];
}

async function readInto(source: Source, chunk: Buffer, offset: number): Promise<number> {
  try {
    return (await source.handle.read(chunk, 0, chunk.length, offset)).bytesRead;
  } catch (error) {
    throw unreadable(source.path, error);
  }
}

function findLineFeed(chunk: Buffer, from: number, to: number): number {
  const at = chunk.indexOf(lineFeed, from);
  return at < to ? at : -1;
}

/** The part of a line that earlier pieces held. */
function unfinishedLine(): {
  add(bytes: Buffer): void;
  finish(bytes: Buffer, end: number): RawLine;
} {
  let parts: Buffer[] = [];
  let length = 0;
  const isTooLong = (): boolean => length > maxLineBytes;
  return {
    add(bytes) {
      length += bytes.length;
      if (isTooLong()) parts = [];
      else if (bytes.length > 0) parts.push(Buffer.from(bytes));
    },
    finish(bytes, end) {
      length += bytes.length;
      const whole = parts.length === 0 ? bytes : Buffer.concat([...parts, bytes]);
      const line: RawLine = isTooLong()
        ? { bytes: Buffer.alloc(0), end, hasNewline: true, tooLong: true }
        : { bytes: whole, end, hasNewline: true };
      parts = [];
      length = 0;
      return line;
    },
  };
}
