import { occurrences } from "./occurrences.ts";

/** Where a text stands, in positions of the file's flat text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Every place of a text, when blanks at the ends of lines do not count. */
export function findWithoutTrailingBlanks(flat: string, oldText: string): readonly Span[] {
  const file = withoutTrailingBlanks(flat);
  const wanted = withoutTrailingBlanks(oldText).text;
  if (wanted === "") return [];
  // Blanks at the very end of the old text can only be those at the end of a line.
  const endsLine = /[ \t]$/.test(oldText);
  return occurrences(file.text, wanted, "all")
    .map((start) => ({ start, end: start + wanted.length }))
    .filter(({ end }) => !endsLine || end === file.text.length || file.text[end] === "\n")
    .map(({ start, end }) => ({
      from: file.original(start, "after_blanks"),
      to: file.original(end, endsLine ? "after_blanks" : "before_blanks"),
    }));
}

interface Stripped {
  readonly text: string;
  /** Position in the unstripped text; where blanks were taken away, before or after them. */
  original(at: number, side: "before_blanks" | "after_blanks"): number;
}

function withoutTrailingBlanks(text: string): Stripped {
  const kept: string[] = [];
  /** Where blanks were, in the stripped text, and how many were taken away up to and with them. */
  const cuts: { readonly at: number; readonly removed: number }[] = [];
  let length = 0;
  let removed = 0;
  for (let from = 0; from <= text.length;) {
    const feed = text.indexOf("\n", from);
    const end = feed < 0 ? text.length : feed;
    let last = end;
    while (last > from && isBlank(text.charCodeAt(last - 1))) last--;
    kept.push(text.slice(from, last));
    length += last - from;
    if (last < end) {
      removed += end - last;
      cuts.push({ at: length, removed });
    }
    // The line feed.
    length += 1;
    from = end + 1;
  }
  return {
    text: kept.join("\n"),
    original(at, side) {
      let low = 0;
      let high = cuts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const cut = cuts[middle]?.at ?? at;
        if (cut < at || (cut === at && side === "after_blanks")) low = middle + 1;
        else high = middle;
      }
      return at + (cuts[low - 1]?.removed ?? 0);
    },
  };
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09;
