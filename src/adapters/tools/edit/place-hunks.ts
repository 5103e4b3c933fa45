import { trouble, type Trouble } from "../../workspace/index.ts";
import { omissionIn, omissionTrouble } from "../shared/omission.ts";
import type { Place } from "../shared/place-changes.ts";
import type { FoundEdits } from "./find-edits.ts";
import { fold } from "./fold.ts";
import { nearestLines } from "./nearest-lines.ts";
import type { Hunk } from "./parse-patch.ts";

/** Lines of a file and where they stand in its flat text. */
interface FileLines {
  readonly flat: string;
  readonly lines: readonly string[];
  /** Of each line; one more for the end of the file. */
  readonly starts: readonly number[];
  /** The last line has a line feed. */
  readonly isClosed: boolean;
}

/**
 * Finds the places of hunks, each below the one before. The lines of context and those to remove must stand in the
 * file together, at one place or right below the anchor; blanks at line ends and typographic characters may differ.
 */
export function placeHunks(
  flat: string,
  hunks: readonly Hunk[],
  shown: string,
): FoundEdits | Trouble {
  const file = linesOf(flat);
  const places: Place[] = [];
  const tolerated = new Set<string>();
  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const omission = omissionIn(addedText(hunk), oldLines(hunk).join("\n"));
    if (omission !== null) return omissionTrouble(shown, omission);
    const found = placeOf(file, hunk, from);
    if ("says" in found) {
      const which = hunks.length === 1 ? "" : ` (hunk ${index + 1} of ${hunks.length})`;
      return trouble(found.code, `${shown}${which}: ${found.says} Nothing was changed.`);
    }
    if (found.tolerated !== "") tolerated.add(found.tolerated);
    places.push(...changesOf(file, hunk, found.line));
    from = found.line + oldLines(hunk).length;
  }
  return { places, tolerated: [...tolerated] };
}

function linesOf(flat: string): FileLines {
  const lines = flat.split("\n");
  const isClosed = lines.at(-1) === "";
  if (isClosed) lines.pop();
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return { flat, lines, starts, isClosed };
}

const oldLines = ({ lines }: Hunk): readonly string[] =>
  lines.filter(({ type }) => type !== "added").map(({ text }) => text);

const addedText = ({ lines }: Hunk): string =>
  lines.flatMap(({ type, text }) => (type === "added" ? [text] : [])).join("\n");

interface NotPlaced {
  readonly code: string;
  readonly says: string;
}

interface Placed {
  readonly line: number;
  readonly tolerated: string;
}

function placeOf(file: FileLines, hunk: Hunk, from: number): Placed | NotPlaced {
  let below = from;
  let isSure = false;
  for (const anchor of hunk.anchors) {
    const found = linesLike(file.lines, anchor, below);
    const [first] = found;
    if (first === undefined) {
      return {
        code: "context_not_found",
        says: `there is no line \`${anchor}\` to find the hunk by.`,
      };
    }
    below = first + 1;
    isSure = found.length === 1;
  }
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return placeOfAddition(file, hunk, { below, isSure });
  const { found, tolerated } = blocksLike(file.lines, wanted, below);
  const last = file.lines.length - wanted.length;
  const [line, second] = hunk.atEnd ? found.filter((one) => one === last) : found;
  if (line === undefined) {
    const near = nearestLines(file.flat, wanted.join("\n"));
    const where = from === 0 ? "" : " below the hunk before";
    return {
      code: "context_not_found",
      says: `the lines of context and those to remove are not there together${where}. ${near}`,
    };
  }
  if (second === undefined || isSure) return { line, tolerated };
  return {
    code: "multiple_matches",
    says: `the lines of context fit at ${found.length} places, lines ${found
      .slice(0, 10)
      .map((one) => one + 1)
      .join(", ")}. Give more of them, or a line above the place after @@.`,
  };
}

/** A hunk that only adds needs a place all the same. */
function placeOfAddition(
  file: FileLines,
  hunk: Hunk,
  { below, isSure }: { readonly below: number; readonly isSure: boolean },
): Placed | NotPlaced {
  const end = file.lines.length;
  if (hunk.atEnd || end === 0) return { line: end, tolerated: "" };
  if (hunk.anchors.length > 0 && isSure) return { line: below, tolerated: "" };
  return {
    code: hunk.anchors.length > 0 ? "multiple_matches" : "context_not_found",
    says: "the hunk has no line of context, so its place is not known. Give lines around it, or `*** End of File`.",
  };
}

/** Indexes of the lines that are like the anchor: to the letter, else but for blanks around it. */
function linesLike(lines: readonly string[], anchor: string, from: number): readonly number[] {
  for (const key of [(line: string) => line.trimEnd(), (line: string) => fold(line).trim()]) {
    const wanted = key(anchor);
    const found = lines.flatMap((line, index) =>
      index >= from && key(line) === wanted ? [index] : [],
    );
    if (found.length > 0) return found;
  }
  return [];
}

const keys: readonly (readonly [tolerated: string, key: (line: string) => string])[] = [
  ["", (line) => line],
  ["trailing blanks", (line) => line.trimEnd()],
  ["trailing blanks or typographic characters", (line) => fold(line).trimEnd()],
];

function blocksLike(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
): { readonly found: readonly number[]; readonly tolerated: string } {
  for (const [tolerated, key] of keys) {
    const block = wanted.map(key);
    const all = lines.map(key);
    const found: number[] = [];
    for (let at = from; at + block.length <= all.length; at++) {
      if (block.every((line, index) => all[at + index] === line)) found.push(at);
    }
    if (found.length > 0) return { found, tolerated };
  }
  return { found: [], tolerated: "" };
}

/** Context stays as the file has it; each run of other lines is one change. */
function changesOf(file: FileLines, hunk: Hunk, line: number): readonly Place[] {
  const places: Place[] = [];
  let at = line;
  let removed = 0;
  let added: string[] = [];
  const flush = (): void => {
    if (removed > 0 || added.length > 0) places.push(change(file, { at, removed, added }));
    at += removed;
    removed = 0;
    added = [];
  };
  for (const { type, text } of hunk.lines) {
    if (type === "added") added.push(text);
    else if (type === "removed") removed += 1;
    else {
      flush();
      at += 1;
    }
  }
  flush();
  return places;
}

function change(
  { flat, starts, lines, isClosed }: FileLines,
  how: { readonly at: number; readonly removed: number; readonly added: readonly string[] },
): Place {
  const { at, removed, added } = how;
  const from = starts[at] ?? flat.length;
  const next = starts[at + removed] ?? flat.length;
  const text = added.join("\n");
  if (removed > 0 && added.length > 0) return { from, to: next - 1, text };
  const isLast = at + removed === lines.length && lines.length > 0 && !isClosed;
  if (removed > 0) {
    return isLast
      ? { from: Math.max(0, from - 1), to: flat.length, text }
      : { from, to: next, text };
  }
  return isLast
    ? { from: flat.length, to: flat.length, text: `\n${text}` }
    : { from, to: from, text: `${text}\n` };
}
