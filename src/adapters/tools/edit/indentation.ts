import { fold } from "./fold.ts";
import { occurrences } from "./occurrences.ts";
import type { Span } from "./trailing-blanks.ts";

/** Whole lines of the file that are the old text but for blanks at their beginnings and ends. */
export interface IndentedLines extends Span {
  /** New text with the indentation of the file; null when it cannot be told. */
  readonly newText: string | null;
}

/** Every place where the old text, taken as whole lines, stands with other indentation. */
export function findIndented(
  flat: string,
  oldText: string,
  newText: string,
): readonly IndentedLines[] {
  const isClosed = oldText.endsWith("\n");
  const oldLines = (isClosed ? oldText.slice(0, -1) : oldText).split("\n");
  const oldKeys = oldLines.map(keyOf);
  if (oldKeys.every((key) => key === "")) return [];
  const lines = flat.split("\n");
  const keys = lines.map(keyOf);
  return matches(keys, oldKeys).map((first) => {
    const there = lines.slice(first, first + oldLines.length);
    const from = lengthOf(lines.slice(0, first));
    const to = from + lengthOf(there) - 1;
    const hasEnd = to < flat.length;
    const written = isClosed && !hasEnd && newText.endsWith("\n") ? newText.slice(0, -1) : newText;
    const pairs = there.map((line, index) => ({
      there: indentOf(line),
      old: indentOf(oldLines[index] ?? ""),
      key: oldKeys[index] ?? "",
    }));
    const counted = pairs.filter(({ key }) => key !== "");
    return { from, to: isClosed && hasEnd ? to + 1 : to, newText: reindent(written, counted) };
  });
}

const keyOf = (line: string): string => fold(line).trim();

/** With a line feed after each. */
const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length + 1, 0);

/** Indexes of the lines from which on the wanted ones follow each other. */
function matches(keys: readonly string[], wanted: readonly string[]): readonly number[] {
  const text = `\n${keys.join("\n")}\n`;
  const found = occurrences(text, `\n${wanted.join("\n")}\n`, "all");
  const indexes: number[] = [];
  let index = 0;
  let counted = 0;
  for (const at of found) {
    for (let feed = text.indexOf("\n", counted); feed < at; feed = text.indexOf("\n", counted)) {
      counted = feed + 1;
      index += 1;
    }
    indexes.push(index);
  }
  return indexes;
}

interface Pair {
  readonly old: string;
  readonly there: string;
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** The same steps of indentation, as the file takes them. */
function reindent(newText: string, pairs: readonly Pair[]): string | null {
  const translate = translation(pairs);
  if (translate === null) return null;
  const lines: string[] = [];
  for (const line of newText.split("\n")) {
    const own = indentOf(line);
    const indent = own.length === line.length ? own : translate(own);
    if (indent === null) return null;
    lines.push(indent + line.slice(own.length));
  }
  return lines.join("\n");
}

type Translate = (indent: string) => string | null;

function translation(pairs: readonly Pair[]): Translate | null {
  const known = new Map<string, string>();
  for (const { old, there } of pairs) {
    if ((known.get(old) ?? there) !== there) return null;
    known.set(old, there);
  }
  const rule = moved(pairs) ?? scaled(pairs);
  return (indent) => known.get(indent) ?? rule?.(indent) ?? null;
}

/** All lines are moved by the same blanks. */
function moved(pairs: readonly Pair[]): Translate | null {
  const [first] = pairs;
  if (first === undefined) return null;
  const added = first.there.slice(0, Math.max(0, first.there.length - first.old.length));
  if (pairs.every(({ old, there }) => there === added + old)) return (indent) => added + indent;
  const removed = first.old.slice(0, Math.max(0, first.old.length - first.there.length));
  if (!pairs.every(({ old, there }) => old === removed + there)) return null;
  return (indent) => (indent.startsWith(removed) ? indent.slice(removed.length) : null);
}

/** Each step is another number of blanks, or tabs instead of spaces. */
function scaled(pairs: readonly Pair[]): Translate | null {
  const model = pairs.find(({ old, there }) => old !== "" && there !== "");
  if (model === undefined) return null;
  const { old: sample, there: target } = model;
  const [from = "", to = ""] = [sample[0], target[0]];
  const translate: Translate = (indent) => {
    const length = (indent.length * target.length) / sample.length;
    return indent === from.repeat(indent.length) && Number.isInteger(length)
      ? to.repeat(length)
      : null;
  };
  return pairs.every(({ old, there }) => translate(old) === there) ? translate : null;
}
