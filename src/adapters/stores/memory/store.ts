import { hash as digest } from "node:crypto";

import { type Entry, type EpochMs, hash, type Hash, type SessionId } from "#core";
import type { Clock, Journal, SessionInfo, Store } from "#runtime";
import { chainHash, decodeLine, encodeLines, firstPrev, type Link } from "../line.ts";
import { newestFirst } from "../order.ts";
import { requireSessionName } from "../session-name.ts";
import {
  blobMissing,
  journalClosed,
  journalLocked,
  journalReadOnly,
  seqNotFound,
  sessionExists,
  sessionInUse,
  sessionNotFound,
} from "../store-errors.ts";
import { titleOf } from "../title.ts";

/** Lines, not objects: nobody can change what was written, and everybody reads what a disk would give back. */
interface Kept {
  readonly id: SessionId;
  readonly cwd: string;
  readonly createdAt: EpochMs;
  readonly lines: string[];
  readonly blobs: Map<Hash, Uint8Array>;
  link: Link;
  bytes: number;
  updatedAt: EpochMs;
  hasWriter: boolean;
}

/** A store that is gone with its process. It gives, refuses and says what the store on disk does. */
export function memoryStore({ clock }: { readonly clock: Clock }): Store {
  const sessions = new Map<SessionId, Kept>();

  const existing = (id: SessionId): Kept => {
    const kept = sessions.get(id);
    if (kept === undefined) throw sessionNotFound(id);
    return kept;
  };
  const add = (id: SessionId, cwd: string): Kept => {
    requireSessionName(id);
    if (sessions.has(id)) throw sessionExists(id);
    const now = clock.now();
    const kept: Kept = {
      id,
      cwd,
      createdAt: now,
      lines: [],
      blobs: new Map(),
      link: { seq: 0, prev: firstPrev },
      bytes: 0,
      updatedAt: now,
      hasWriter: false,
    };
    sessions.set(id, kept);
    return kept;
  };

  return {
    create: async ({ id, cwd }) => openWriter(add(id, cwd), clock),
    async open(id, mode) {
      const kept = existing(id);
      if (mode === "reader") return openReader(kept);
      if (kept.hasWriter) throw journalLocked(id, "this process");
      return openWriter(kept, clock);
    },
    async fork(source, target) {
      const from = existing(source.id);
      const lines = from.lines.slice(0, source.seq);
      if (lines.length !== source.seq || source.seq < 1) {
        throw seqNotFound(source.id, { seq: source.seq, last: from.link.seq });
      }
      const kept = add(target.id, target.cwd);
      keep(kept, { lines, at: clock.now() });
      from.blobs.forEach((bytes, name) => kept.blobs.set(name, bytes));
      return openWriter(kept, clock);
    },
    async list(options = {}) {
      return [...sessions.values()]
        .filter(({ cwd }) => options.cwd === undefined || options.cwd === cwd)
        .map(infoOf)
        .toSorted(newestFirst);
    },
    async remove(id) {
      if (existing(id).hasWriter) throw sessionInUse(id);
      sessions.delete(id);
    },
  };
}

function openReader(kept: Kept): Journal {
  const readOnly = async (): Promise<never> => {
    throw journalReadOnly(kept.id);
  };
  return journal(kept, { append: readOnly, putBlob: readOnly, close: async () => {} });
}

function openWriter(kept: Kept, clock: Clock): Journal {
  kept.hasWriter = true;
  let isClosed = false;
  const requireOpen = (): void => {
    if (isClosed) throw journalClosed(kept.id);
  };
  return journal(kept, {
    async append(facts) {
      requireOpen();
      const { entries, text } = encodeLines(facts, kept.link);
      keep(kept, { lines: text.split("\n").slice(0, -1), at: clock.now() });
      return entries;
    },
    async putBlob(bytes) {
      requireOpen();
      const name = hash(digest("sha256", bytes, "hex"));
      kept.blobs.set(name, Uint8Array.from(bytes));
      return name;
    },
    async close() {
      if (!isClosed) kept.hasWriter = false;
      isClosed = true;
    },
  });
}

function journal(kept: Kept, writing: Pick<Journal, "append" | "putBlob" | "close">): Journal {
  return {
    id: kept.id,
    folder: null,
    damage: [],
    get seq() {
      return kept.link.seq;
    },
    read: (fromSeq = 1) => readEntries(kept, fromSeq),
    async getBlob(name) {
      const bytes = kept.blobs.get(name);
      if (bytes === undefined) throw blobMissing(name);
      return Uint8Array.from(bytes);
    },
    ...writing,
  };
}

async function* readEntries(kept: Kept, fromSeq: number): AsyncGenerator<Entry> {
  for (let index = Math.max(0, fromSeq - 1); index < kept.lines.length; index += 1) {
    const decoded = decodeLine(Buffer.from(kept.lines[index] ?? ""));
    if (decoded.at === "entry") yield decoded.entry;
  }
}

/** Adds lines; the numbers of a list follow from them. */
function keep(
  kept: Kept,
  added: { readonly lines: readonly string[]; readonly at: EpochMs },
): void {
  for (const line of added.lines) {
    kept.lines.push(line);
    kept.bytes += Buffer.byteLength(line) + 1;
    kept.link = { seq: kept.lines.length, prev: chainHash(line) };
  }
  kept.updatedAt = added.at;
}

function infoOf(kept: Kept): SessionInfo {
  const { id, cwd, createdAt, updatedAt, bytes, hasWriter } = kept;
  return {
    id,
    cwd,
    folder: null,
    createdAt,
    updatedAt,
    bytes,
    title: titleIn(kept),
    inUse: hasWriter,
  };
}

function titleIn(kept: Kept): string {
  for (const line of kept.lines) {
    const decoded = decodeLine(Buffer.from(line));
    const title = decoded.at === "entry" ? titleOf(decoded.entry.fact) : null;
    if (title !== null) return title;
  }
  return "";
}
