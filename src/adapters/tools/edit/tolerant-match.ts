import { fold, foldedKinds } from "./fold.ts";
import { findIndented } from "./indentation.ts";
import { occurrences } from "./occurrences.ts";
import { findWithoutTrailingBlanks, type Span } from "./trailing-blanks.ts";

/** Where an old text stands that is not in the file to the letter. */
export interface TolerantMatch extends Span {
  /** Null: the indentation of the file cannot be carried over to the new text. */
  readonly newText: string | null;
  /** In what the old text and the file differ, in words. */
  readonly tolerated: readonly string[];
}

interface Wanted {
  readonly oldText: string;
  readonly newText: string;
}

type Step = (flat: string, wanted: Wanted) => readonly TolerantMatch[];

/** From the least tolerance to the greatest; the first that finds anything decides. */
const steps: readonly Step[] = [trailingBlanks, plainCharacters, both, indentation, unescaped];

/** All places of the least tolerance that finds any; more than one is not to be chosen from. */
export function tolerantMatches(flat: string, wanted: Wanted): readonly TolerantMatch[] {
  for (const step of steps) {
    const found = step(flat, wanted);
    if (found.length > 0) return found;
  }
  return [];
}

function trailingBlanks(flat: string, { oldText, newText }: Wanted): readonly TolerantMatch[] {
  const spans = findWithoutTrailingBlanks(flat, oldText);
  return spans.map((span) => ({ ...span, newText, tolerated: ["trailing blanks"] }));
}

function plainCharacters(flat: string, { oldText, newText }: Wanted): readonly TolerantMatch[] {
  return occurrences(fold(flat), fold(oldText), "all").map((from) => {
    const to = from + oldText.length;
    return { from, to, newText, tolerated: foldedKinds(flat.slice(from, to), oldText) };
  });
}

function both(flat: string, { oldText, newText }: Wanted): readonly TolerantMatch[] {
  const spans = findWithoutTrailingBlanks(fold(flat), fold(oldText));
  return spans.map((span) => {
    const kinds = lineKinds(flat.slice(span.from, span.to), oldText);
    return { ...span, newText, tolerated: ["trailing blanks", ...kinds] };
  });
}

function indentation(flat: string, { oldText, newText }: Wanted): readonly TolerantMatch[] {
  return findIndented(flat, oldText, newText).map((match) => {
    const kinds = lineKinds(flat.slice(match.from, match.to), oldText);
    return { ...match, tolerated: ["indentation (new_text got the file's)", ...kinds] };
  });
}

/** Only to find the place: what is written is never unescaped. */
function unescaped(flat: string, { oldText, newText }: Wanted): readonly TolerantMatch[] {
  const meant = oldText.replaceAll(
    /\\([nrt"'`\\])/g,
    (_, letter: string) => escapes[letter] ?? letter,
  );
  // Of nothing but blanks nobody can tell what was meant.
  if (meant === oldText || meant.trim() === "") return [];
  return occurrences(flat, meant.replaceAll("\r\n", "\n"), "all").map((from) => ({
    from,
    to: from + meant.replaceAll("\r\n", "\n").length,
    newText,
    tolerated: ["escaped characters in old_text (new_text was written as given)"],
  }));
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Kinds of characters in which texts of the same lines differ. */
function lineKinds(there: string, oldText: string): readonly string[] {
  const lines = there.split("\n");
  const kinds = oldText
    .split("\n")
    .flatMap((line, index) => foldedKinds((lines[index] ?? "").trim(), line.trim()));
  return [...new Set(kinds)];
}
