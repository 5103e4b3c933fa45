import { hash as digest } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { hash, type Hash } from "#core";
import type { CrashPoint } from "#runtime";
import { replaceFile, syncFolder } from "../../system/index.ts";
import { blobMissing } from "../store-errors.ts";
import { journalFailed } from "./disk.ts";

export interface Blobs {
  readonly put: (bytes: Uint8Array) => Promise<Hash>;
  readonly get: (wanted: Hash) => Promise<Uint8Array>;
}

export const isBlobName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** Bytes kept under the name of their SHA-256. A blob is on disk before its hash is given out. */
export function openBlobs(folder: string, crash: CrashPoint): Blobs {
  /** Blobs that are on disk for certain, or on their way. */
  const puts = new Map<string, Promise<void>>();

  const syncNames = sharedSync(folder);

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(folder, name);
    if ((await readBlob(path, name)) === null) await replaceFile(path, bytes);
    crash("blob.after_rename");
    // Also when it was there: whoever wrote it may have died before this.
    await syncNames();
    crash("blob.after_sync");
  }

  return {
    async put(bytes) {
      const name = digest("sha256", bytes, "hex");
      const put = puts.get(name) ?? write(name, bytes);
      puts.set(name, put);
      try {
        await put;
      } catch (error) {
        puts.delete(name);
        throw journalFailed("Keeping a blob", error);
      }
      return hash(name);
    },
    async get(wanted) {
      const bytes = isBlobName(wanted) ? await readBlob(join(folder, wanted), wanted) : null;
      if (bytes !== null) return bytes;
      throw blobMissing(wanted);
    },
  };
}

/** One sync of a folder serves all who ask before it begins. */
function sharedSync(folder: string): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    return syncFolder(folder);
  };
  return () => {
    if (next === null) {
      next = last.then(begin, begin);
      last = next;
    }
    return next;
  };
}

/** The bytes, or null when they are not there or are not what their name says. */
async function readBlob(path: string, name: string): Promise<Uint8Array | null> {
  try {
    const bytes = await readFile(path);
    return digest("sha256", bytes, "hex") === name ? bytes : null;
  } catch {
    // Missing, unreadable or a folder: for the caller it is not there.
    return null;
  }
}
