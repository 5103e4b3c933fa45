import { copyFile, link, open } from "node:fs/promises";
import { join } from "node:path";

import type { SessionId } from "#core";
import { syncFolder } from "../../system/index.ts";
import { chainReader, journalStart } from "../chain.ts";
import { seqNotFound } from "../store-errors.ts";
import { isBlobName } from "./blobs.ts";
import { blobsName, journalName, namesIn } from "./layout.ts";
import { openSource, readLines, type Source } from "./scan.ts";

const chunkBytes = 1024 * 1024;

/** Fills the folder of a new session with the first entries of another, byte for byte, and its blobs. */
export async function copySession(
  from: { readonly id: SessionId; readonly folder: string; readonly seq: number },
  draft: string,
): Promise<void> {
  const source = await openSource(join(from.folder, journalName));
  try {
    await copyBytes(source, await endOfEntry(source, from), join(draft, journalName));
  } finally {
    await source.handle.close();
  }
  await copyBlobs(join(from.folder, blobsName), join(draft, blobsName));
}

/** Offset after the line of an entry. @throws PawlError `seq_not_found` */
async function endOfEntry(
  source: Source,
  entry: { readonly id: SessionId; readonly seq: number },
): Promise<number> {
  const chain = chainReader(journalStart, () => {});
  for await (const lines of readLines(source, { from: 0, to: source.bytes })) {
    for (const line of lines) if (chain.next(line)?.seq === entry.seq) return line.end;
  }
  throw seqNotFound(entry.id, { seq: entry.seq, last: chain.position.seq });
}

async function copyBytes(source: Source, bytes: number, path: string): Promise<void> {
  const target = await open(path, "wx", 0o600);
  try {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, bytes));
    for (let offset = 0; offset < bytes;) {
      const length = Math.min(chunk.length, bytes - offset);
      const { bytesRead } = await source.handle.read(chunk, 0, length, offset);
      if (bytesRead === 0) throw new Error("the session that is forked got shorter meanwhile");
      await target.writeFile(chunk.subarray(0, bytesRead));
      offset += bytesRead;
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

/** Blobs never change, so a second name for the same file is as good as a copy. */
async function copyBlobs(from: string, to: string): Promise<void> {
  for (const name of (await namesIn(from)).filter(isBlobName)) {
    // Another device, or a file system without links.
    await link(join(from, name), join(to, name)).catch(() =>
      copySynced(join(from, name), join(to, name)),
    );
  }
  await syncFolder(to);
}

async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
