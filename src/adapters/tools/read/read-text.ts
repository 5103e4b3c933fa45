import { detectEncoding, trouble, type Detected, type Trouble } from "../../workspace/index.ts";
import { mostCharacters } from "../shared/cap-text.ts";
import { linesOf, sizeOf } from "../shared/ends.ts";
import type { BegunFile } from "./head.ts";
import {
  keptCharacters,
  lineSplitter,
  type Line,
  type LineSplitter,
} from "../shared/line-splitter.ts";

export interface Wanted {
  /** First line, from 1. */
  readonly offset: number;
  readonly limit: number;
  /** The path as it is shown. */
  readonly shown: string;
  readonly signal: AbortSignal;
}

const chunkBytes = 1 << 18;
/** Files up to this many bytes are read to the end, so that their number of lines is known. */
const countedBytes = 8 << 20;
/** Room for the notes. */
const mostShown = mostCharacters - 1500;

/** The wanted lines with their numbers, and notes on everything that is not to be seen in them. */
export async function readText(file: BegunFile, wanted: Wanted): Promise<string | Trouble> {
  const { bytes: head } = file.head;
  if (head.length === 0) return "[the file is empty: 0 bytes]";
  // Most of a PDF is compressed, and what is not is no text for people.
  const isPdf = head.toString("latin1", 0, 5) === "%PDF-";
  const detected = isPdf ? null : await detectEncoding(head);
  if (detected === null) {
    const size = sizeOf(Math.max(file.stats.size, head.length));
    return trouble(
      "binary_file",
      isPdf
        ? `${wanted.shown} is a PDF of ${size}; read does not show these. Where pdftotext is installed, bash gives its text: pdftotext -layout FILE -`
        : `${wanted.shown} is a binary file of ${size}; it is not shown. Use bash (file, xxd, strings) to look into it.`,
    );
  }
  const view = newView(wanted);
  const by = head.includes(0x0d) && !head.includes(0x0a) ? "cr" : "lf";
  const atEnd = await readLines(file, { detected, by, wanted, view });
  return report(view, { wanted, detected, atEnd, bytes: file.stats.size });
}

/** What has been gathered for the answer. */
interface View {
  readonly shown: string[];
  characters: number;
  last: Line | null;
  /** A wanted line did not fit any more. */
  isFull: boolean;
  readonly cut: Line[];
  readonly ends: Set<Line["end"]>;
  /** Lines seen so far, shown or not. */
  lines: number;
}

const newView = ({ offset }: Wanted): View => ({
  shown: [],
  characters: 0,
  last: null,
  isFull: false,
  cut: [],
  ends: new Set(),
  lines: offset - 1,
});

/** True when the end of the file was reached. */
async function readLines(
  file: BegunFile,
  how: {
    readonly detected: Detected;
    readonly by: "lf" | "cr";
    readonly wanted: Wanted;
    readonly view: View;
  },
): Promise<boolean> {
  const { detected, by, wanted, view } = how;
  const isWide = detected.encoding.startsWith("utf-16");
  const start = isWide
    ? { line: 1, byte: detected.bomBytes }
    : await skipLines(file, { by, wanted, firstByte: detected.bomBytes });
  view.lines = start.line - 1;
  const decoder = new TextDecoder(detected.encoding, { ignoreBOM: true });
  const splitter = lineSplitter(by, start.line);
  for await (const chunk of chunks(file, start.byte, wanted.signal)) {
    for (const line of splitter.feed(decoder.decode(chunk, { stream: true }))) {
      take(line, view, wanted);
    }
    if (file.stats.size > countedBytes && isDone(view, wanted, splitter)) return false;
  }
  for (const line of splitter.feed(decoder.decode())) take(line, view, wanted);
  const open = splitter.end();
  if (open !== null) take(open, view, wanted);
  return !wanted.signal.aborted;
}

/** Everything wanted is there, and there is more. */
function isDone(view: View, { offset, limit }: Wanted, splitter: LineSplitter): boolean {
  const more = view.lines - (offset + limit - 1);
  return view.isFull || more > 0 || (more === 0 && splitter.isOpen());
}

/** Finds where the first wanted line begins, without decoding what is before it. */
async function skipLines(
  file: BegunFile,
  how: { readonly by: "lf" | "cr"; readonly wanted: Wanted; readonly firstByte: number },
): Promise<{ readonly line: number; readonly byte: number }> {
  const mark = how.by === "lf" ? 0x0a : 0x0d;
  let line = 1;
  let lineStart = how.firstByte;
  let position = how.firstByte;
  if (how.wanted.offset === 1) return { line, byte: lineStart };
  for await (const chunk of chunks(file, position, how.wanted.signal)) {
    for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + 1)) {
      line += 1;
      lineStart = position + at + 1;
      if (line === how.wanted.offset) return { line, byte: lineStart };
    }
    position += chunk.length;
  }
  return { line, byte: lineStart };
}

/** The bytes from a position on; a chunk is valid until the next one. */
async function* chunks(file: BegunFile, from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { bytes, isWhole } = file.head;
  if (from < bytes.length) yield bytes.subarray(from);
  if (isWhole) return;
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = Math.max(from, bytes.length); !signal.aborted;) {
    const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function take(line: Line, view: View, { offset, limit }: Wanted): void {
  view.lines = line.number;
  view.ends.add(line.end);
  if (line.number < offset || line.number >= offset + limit || view.isFull) return;
  const shown = `${line.number}\t${line.text.toWellFormed()}`;
  if (view.characters + shown.length + 1 > mostShown) {
    view.isFull = true;
    return;
  }
  view.shown.push(shown);
  view.characters += shown.length + 1;
  view.last = line;
  if (line.characters > keptCharacters) view.cut.push(line);
}

function report(
  view: View,
  file: {
    readonly wanted: Wanted;
    readonly detected: Detected;
    readonly atEnd: boolean;
    readonly bytes: number;
  },
): string | Trouble {
  const { wanted, detected, atEnd } = file;
  if (view.last === null) {
    return trouble(
      "past_end",
      `${wanted.shown} has ${view.lines} lines; line ${wanted.offset} is past its end.`,
    );
  }
  const notes: string[] = [];
  const range = linesOf([wanted.offset, view.last.number]);
  const next = view.last.number + 1;
  if (!atEnd) notes.push(`${range}; the file (${sizeOf(file.bytes)}) goes on: offset ${next}`);
  else if (view.last.number < view.lines) {
    notes.push(`${range} of ${view.lines}; go on with offset ${next}`);
  } else if (wanted.offset > 1) notes.push(`${range} of ${view.lines}`);
  notes.push(...cutNotes(view.cut, wanted.shown));
  const unusual = [
    ...(detected.encoding === "utf-8" ? [] : [`encoding ${detected.encoding}`]),
    ...(detected.bomBytes > 0 ? ["byte order mark"] : []),
    ...endNotes(view.ends, atEnd),
  ];
  if (unusual.length > 0) notes.push(unusual.join(", "));
  if (view.shown.some((line) => line.includes("\ufffd"))) {
    notes.push("\ufffd stands for bytes that are no text; edit leaves them as they are");
  }
  return [...view.shown, ...notes.map((note) => `[${note}]`)].join("\n");
}

function cutNotes(cut: readonly Line[], shown: string): readonly string[] {
  const [first] = cut;
  if (first === undefined) return [];
  const which = cut
    .slice(0, 5)
    .map((line) => `line ${line.number} (${line.characters} characters)`)
    .join(", ");
  const more = cut.length > 5 ? ` and ${cut.length - 5} more` : "";
  const quoted = `'${shown.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `partial: only the first ${keptCharacters} characters are shown of ${which}${more}; more of it with bash: ` +
      `sed -n ${first.number}p ${quoted} | cut -c${keptCharacters + 1}-${keptCharacters * 2}`,
  ];
}

function endNotes(ends: ReadonlySet<Line["end"]>, atEnd: boolean): readonly string[] {
  const kinds = (["lf", "crlf", "cr"] as const).filter((kind) => ends.has(kind));
  const notes: string[] = [];
  if (kinds.length > 1) notes.push(`mixed line ends (${kinds.join(", ").toUpperCase()})`);
  else if (kinds[0] !== undefined && kinds[0] !== "lf") {
    notes.push(`${kinds[0].toUpperCase()} line ends`);
  }
  if (atEnd && ends.has("none")) notes.push("no newline at the end");
  return notes;
}
