import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";

import { type Entry, PawlError, type Stamped } from "#core";
import type { CrashPoint } from "#runtime";
import { encodeLines, type Link } from "../line.ts";
import { journalFailed } from "./disk.ts";

const sync = promisify(fdatasync);

/** What is on disk for certain. */
export interface Tail extends Link {
  readonly bytes: number;
}

export interface Writer {
  readonly tail: Tail;
  /** Resolves when the entries are on disk. @throws PawlError `journal_failed`, `invalid_fact` */
  append(facts: readonly Stamped[]): Promise<readonly Entry[]>;
  /** Waits for appends under way. */
  close(): Promise<void>;
}

interface Request {
  readonly facts: readonly Stamped[];
  resolve(entries: readonly Entry[]): void;
  reject(error: unknown): void;
}

/** Appends asked for in one tick, or while the disk was busy, share one write and one sync. */
export function openWriter(path: string, from: Tail, crash: CrashPoint): Writer {
  const file = openSync(path, "a");
  let tail = from;
  let waiting: Request[] = [];
  let draining: Promise<void> | null = null;
  /** After a failure that leaves the disk's state unknown, nothing is written any more. */
  let dead: PawlError | null = null;

  async function drain(): Promise<void> {
    await Promise.resolve();
    while (waiting.length > 0) {
      const requests = waiting;
      waiting = [];
      await commit(requests);
    }
    draining = null;
  }

  async function commit(requests: readonly Request[]): Promise<void> {
    const batch = encode(requests, tail);
    try {
      if (batch.bytes.length > 0) await write(batch.bytes);
    } catch (error) {
      batch.done.forEach(({ request }) => request.reject(error));
      return;
    }
    tail = { ...batch.link, bytes: tail.bytes + batch.bytes.length };
    batch.done.forEach(({ request, entries }) => request.resolve(entries));
  }

  async function write(bytes: Uint8Array): Promise<void> {
    if (dead !== null) throw dead;
    crash("journal.before_append");
    requireUntouched();
    try {
      writeAll(file, bytes);
    } catch (error) {
      throw takeBack(error);
    }
    crash("journal.after_write");
    await sync(file).catch((error: unknown) => {
      // What the disk holds is unknown now, and a second sync would report success for lost pages: never again.
      dead = died(error);
      throw takeBack(error);
    });
    crash("journal.after_append");
  }

  /** Makes the file equal to what was acknowledged. */
  function takeBack(cause: unknown): PawlError {
    try {
      ftruncateSync(file, tail.bytes);
      if (dead === null) fdatasyncSync(file);
    } catch (error) {
      dead ??= died(error);
    }
    return dead ?? journalFailed("Writing the journal", cause);
  }

  function requireUntouched(): void {
    const { nlink, size } = fstatSync(file);
    if (nlink > 0 && size === tail.bytes) return;
    const what = nlink === 0 ? "removed or replaced" : "changed by another program";
    dead = died(new Error(`the file was ${what}`));
    throw dead;
  }

  return {
    get tail() {
      return tail;
    },
    append(facts) {
      return new Promise((resolve, reject) => {
        waiting.push({ facts, resolve, reject });
        draining ??= drain();
      });
    },
    async close() {
      await draining;
      closeSync(file);
    },
  };
}

interface Batch {
  readonly bytes: Uint8Array;
  /** After its last line. */
  readonly link: Link;
  readonly done: readonly { readonly request: Request; readonly entries: readonly Entry[] }[];
}

/** Requests whose facts cannot be written are refused by themselves. */
function encode(requests: readonly Request[], from: Link): Batch {
  let link = from;
  let text = "";
  const done: { request: Request; entries: readonly Entry[] }[] = [];
  for (const request of requests) {
    try {
      const lines = encodeLines(request.facts, link);
      link = lines.link;
      text += lines.text;
      done.push({ request, entries: lines.entries });
    } catch (error) {
      request.reject(error);
    }
  }
  return { bytes: Buffer.from(text), link: { seq: link.seq, prev: link.prev }, done };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) {
    offset += writeSync(file, bytes, offset, bytes.length - offset);
  }
}

function died(cause: unknown): PawlError {
  const { code, message, values } = journalFailed("Writing the journal", cause);
  const until = "This session takes no more entries until it is opened again.";
  return new PawlError(code, `${message} ${until}`, {
    cause,
    ...(values === null ? {} : { values }),
  });
}
