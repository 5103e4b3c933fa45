import { PawlError, type Entry } from "#core";
import type { Damage } from "#runtime";
import {
  chainHash,
  decodeLine,
  firstPrev,
  formatVersion,
  type Decoded,
  type Link,
} from "./line.ts";

/** Where reading stands: after the last line that was read. */
export interface Position extends Link {
  /** Bytes before the next line. */
  readonly offset: number;
  /** Lines before it. */
  readonly line: number;
}

export const journalStart: Position = { seq: 0, prev: firstPrev, offset: 0, line: 0 };

/** A line as it stands in the file, without its newline. */
export interface RawLine {
  readonly bytes: Buffer;
  /** Offset after the line and its newline. */
  readonly end: number;
  /** False for a last line without one. */
  readonly hasNewline: boolean;
  /** Its bytes were not kept. */
  readonly tooLong?: boolean;
}

export interface ChainReader {
  /** After the last intact line; whatever bad lines follow are not behind it yet. */
  readonly position: Position;
  /** The last intact line had its newline. */
  readonly endsLine: boolean;
  /** Bad lines after `position`; a last line without its newline is a `torn_tail`. */
  readonly tail: readonly Damage[];
  /** The entry, or null when the line is to be skipped. @throws PawlError `journal_newer` */
  next(line: RawLine): Entry | null;
}

/**
 * Reads lines in order and says what is wrong between them: `report` gets each damage once an intact line has
 * followed it. A half-written line with a whole one glued to it loses only the half.
 */
export function chainReader(start: Position, report: (damage: Damage) => void): ChainReader {
  let position = start;
  let endsLine = true;
  let line = start.line;
  let tail: Damage[] = [];

  const bad = (raw: RawLine, why: string): null => {
    const kind = raw.hasNewline ? "bad_line" : "torn_tail";
    tail.push({ kind, line, message: `Line ${line} ${why}; it is skipped.` });
    return null;
  };
  const broken = (message: string): void => report({ kind: "broken_chain", line, message });

  function accept(entry: Entry, bytes: Buffer, raw: RawLine): Entry | null {
    const before = position;
    const skipped = tail.length;
    tail.forEach(report);
    tail = [];
    endsLine = raw.hasNewline;
    const isRepeated = entry.seq <= before.seq;
    position = {
      seq: Math.max(entry.seq, before.seq),
      prev: chainHash(bytes),
      offset: raw.end,
      line,
    };
    if (isRepeated) {
      const message = `Line ${line} repeats entry ${entry.seq}; it is skipped.`;
      report({ kind: "bad_line", line, message });
      return null;
    }
    const missing = entry.seq - before.seq - 1;
    if (missing > skipped) {
      broken(`Entries ${before.seq + 1} to ${entry.seq - 1} are missing before line ${line}.`);
    } else if (skipped === 0 && entry.prev !== before.prev) {
      broken(`Line ${line} was not written after the line before it.`);
    }
    return entry;
  }

  return {
    get position() {
      return position;
    },
    get endsLine() {
      return endsLine;
    },
    get tail() {
      return tail;
    },
    next(raw) {
      line += 1;
      if (raw.tooLong === true) return bad(raw, "is too long");
      if (raw.bytes.length === 0) return null;
      const decoded = decodeLine(raw.bytes);
      if (decoded.at === "newer") throw newerJournal(decoded);
      if (decoded.at === "entry") return accept(decoded.entry, raw.bytes, raw);
      const glued = findGluedLine(raw.bytes);
      if (glued === null) return bad(raw, decoded.why);
      tail.push({
        kind: "bad_line",
        line,
        message: `Line ${line} begins with half an entry; only that half is skipped.`,
      });
      return accept(glued.entry, glued.bytes, raw);
    },
  };
}

type DecodedNewer = Extract<Decoded, { readonly at: "newer" }>;

const lineHead = Buffer.from('{"v":');
/** A line may hold hostile text: look at so many places and no more. */
const mostPlaces = 8;

/** A whole line after half a line, when some writer did not begin on a fresh line. */
function findGluedLine(bytes: Buffer): { readonly entry: Entry; readonly bytes: Buffer } | null {
  let at = bytes.length;
  for (let place = 0; place < mostPlaces && at > 0; place += 1) {
    at = bytes.lastIndexOf(lineHead, at - 1);
    if (at <= 0) return null;
    const rest = bytes.subarray(at);
    const decoded = decodeLine(rest);
    if (decoded.at === "entry") return { entry: decoded.entry, bytes: rest };
  }
  return null;
}

/** The first line of a later version says which program wrote it: a session starts or resumes with it. */
function newerJournal({ version, program }: DecodedNewer): PawlError {
  const isName = program !== null && /^[\w./ +-]{1,60}$/.test(program);
  const wanted = isName ? `${program} or later` : "a later version of the program";
  return new PawlError(
    "journal_newer",
    `The journal has format ${version}; this version reads up to ${formatVersion}. Install ${wanted}.`,
    { values: { version: String(version), known: formatVersion } },
  );
}
