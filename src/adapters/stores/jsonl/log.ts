import { type Entry, PawlError } from "#core";
import type { Damage } from "#runtime";
import { type ChainReader, chainReader, journalStart, type Position } from "../chain.ts";
import { openSource, readLines, type Source } from "./scan.ts";

/** Entries read while opening are kept for the first reader up to this size, so that they are parsed once. */
const mostKeptBytes = 64 * 1024 * 1024;

/** The reading side of one `journal.jsonl`. */
export interface Log {
  readonly damage: readonly Damage[];
  /** Number of the last entry that was read. */
  readonly seq: number;
  /** How the file stood when it was opened. */
  readonly opened: Opened;
  /** Entries from `fromSeq` on, up to the byte `end` (null = as far as the file goes). */
  read(fromSeq: number, end: number | null): AsyncGenerator<Entry>;
}

export interface Opened {
  /** After the last intact line. */
  readonly position: Position;
  /** That line has its newline. */
  readonly endsLine: boolean;
  /** Bad lines after it. */
  readonly tail: readonly Damage[];
  readonly bytes: number;
}

/** Reads and checks the whole file once. @throws PawlError `journal_newer`, `journal_unreadable` */
export async function openLog(path: string): Promise<Log> {
  const reports = damageReports();
  const { opened, entries } = await readAll(path, reports.add);
  let kept = entries;
  let mark = opened.position;

  async function* read(fromSeq: number, end: number | null): AsyncGenerator<Entry> {
    let next = fromSeq;
    let start = fromSeq > mark.seq ? mark : journalStart;
    if (kept !== null) {
      const entries = kept;
      kept = null;
      start = opened.position;
      for (const entry of entries) if (entry.seq >= next) yield entry;
      next = Math.max(next, start.seq + 1);
    }
    const source = await openSource(path);
    try {
      if (source.bytes < mark.offset) mark = journalStart;
      if (source.bytes < start.offset) start = journalStart;
      const chain = chainReader(start, reports.add);
      const to = Math.min(end ?? source.bytes, source.bytes);
      for await (const batch of entriesIn(source, { chain, to })) {
        if (chain.position.offset > mark.offset) mark = chain.position;
        for (const entry of batch) if (entry.seq >= next) yield entry;
      }
    } finally {
      await source.handle.close();
    }
  }

  return {
    damage: reports.damage,
    get seq() {
      return mark.seq;
    },
    opened,
    read,
  };
}

/** `entries` is null when they would take too much memory. */
async function readAll(
  path: string,
  report: (damage: Damage) => void,
): Promise<{ readonly opened: Opened; readonly entries: readonly Entry[] | null }> {
  const source = await openSource(path);
  try {
    const chain = chainReader(journalStart, report);
    const entries: Entry[] | null = source.bytes > mostKeptBytes ? null : [];
    let hasEntries = false;
    for await (const batch of entriesIn(source, { chain, to: source.bytes })) {
      hasEntries ||= batch.length > 0;
      entries?.push(...batch);
    }
    const { position, endsLine, tail } = chain;
    if (!hasEntries && tail.some((one) => one.line > 1 || one.kind !== "torn_tail")) {
      throw new PawlError(
        "journal_unreadable",
        `${path} holds no intact line. It was left as it is; it may be no journal.`,
        { values: { path } },
      );
    }
    return { opened: { position, endsLine, tail, bytes: source.bytes }, entries };
  } finally {
    await source.handle.close();
  }
}

/** The entries between where the chain stands and `to`, a batch for each piece read. */
async function* entriesIn(
  source: Source,
  part: { readonly chain: ChainReader; readonly to: number },
): AsyncGenerator<readonly Entry[]> {
  const { chain, to } = part;
  for await (const lines of readLines(source, { from: chain.position.offset, to })) {
    yield lines.map((line) => chain.next(line)).filter((entry) => entry !== null);
  }
}

/** Keeps each damage once, however often its line is read. */
function damageReports(): {
  readonly damage: readonly Damage[];
  readonly add: (damage: Damage) => void;
} {
  const damage: Damage[] = [];
  let reportedLine = 0;
  return {
    damage,
    add(found) {
      if (found.line <= reportedLine) return;
      reportedLine = found.line;
      damage.push(found);
    },
  };
}
