import type { Change, LineEndStyle, TextDocument } from "../../workspace/index.ts";
import { lineCounter, type FlatText } from "./flat-text.ts";

/** A span of the flat text and what takes its place, line ends as LF. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The changes to a document that put each text in its place, with the line ends the file has there. */
export function placeChanges(
  document: Pick<TextDocument, "text" | "style">,
  flatText: FlatText,
  places: readonly Place[],
): readonly Change[] {
  const { text, style } = document;
  return places.map((place) => {
    const from = flatText.original(place.from);
    const to = flatText.original(place.to);
    return { from, to, text: withEnds(place.text, style, { text, from, to }) };
  });
}

interface Span {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function withEnds(flat: string, style: LineEndStyle, span: Span): string {
  if (!flat.includes("\n") || style === "lf" || style === "none") return flat;
  if (style === "crlf") return flat.replaceAll("\n", "\r\n");
  if (style === "cr") return flat.replaceAll("\n", "\r");
  const replaced = span.text.slice(span.from, span.to).match(anyEnd) ?? [];
  const lines = flat.split("\n");
  // As many lines as before: each keeps its own end. Else the end that the file has at this place.
  if (replaced.length === lines.length - 1) {
    return lines.map((line, index) => line + (replaced[index] ?? "")).join("");
  }
  return lines.join(endNear(span));
}

const anyEnd = /\r\n|\n|\r/g;

function endNear({ text, from }: Span): string {
  const after = /\r\n|\n|\r/.exec(text.slice(from))?.[0];
  return after ?? text.slice(0, from).match(anyEnd)?.at(-1) ?? "\n";
}

export interface ChangedLines {
  /** First and last line of the new file that hold new text; null when only whole lines were removed. */
  readonly lines: readonly [from: number, to: number] | null;
  /** First line after a removal of whole lines, in the new file. */
  readonly removedAt: number | null;
}

/** Which lines of the new file are new. Places are in rising order. */
export function changedLines(flat: string, places: readonly Place[]): ChangedLines {
  const lineOf = lineCounter(flat);
  let added = 0;
  let lines: [number, number] | null = null;
  let removedAt: number | null = null;
  for (const { from, to, text } of places) {
    const removed = flat.slice(from, to);
    const begin = lineOf(from) + added;
    const end = begin + lineFeeds(text) - (text.endsWith("\n") ? 1 : 0);
    added += lineFeeds(text) - lineFeeds(removed);
    const atLineStart = from === 0 || flat[from - 1] === "\n";
    if (text === "" && atLineStart && removed.endsWith("\n")) {
      removedAt ??= begin;
      continue;
    }
    const first = text.startsWith("\n") && removed === "" ? begin + 1 : begin;
    lines = [Math.min(lines?.[0] ?? first, first), Math.max(lines?.[1] ?? first, end, first)];
  }
  return { lines, removedAt };
}

function lineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
