import { withLineFeeds } from "../../workspace/index.ts";

/** A text with every line end as LF, and the way back to the positions of the original. */
export interface FlatText {
  readonly flat: string;
  /** Position in the original of a position in `flat`. A position before a line end maps before its CR. */
  original(at: number): number;
}

export function flatten(text: string): FlatText {
  if (!text.includes("\r\n")) return { flat: withLineFeeds(text), original: (at) => at };
  // Positions in `flat` of the line ends that are two characters in the original.
  const pairs: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) {
    pairs.push(at - pairs.length);
  }
  return { flat: withLineFeeds(text), original: (at) => at + countBelow(pairs, at) };
}

/** How many of the rising numbers are below a limit. */
function countBelow(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells line numbers (1-based) of positions that are asked in rising order. */
export function lineCounter(flat: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (let end = flat.indexOf("\n", counted); end >= 0 && end < at;) {
      line += 1;
      counted = end + 1;
      end = flat.indexOf("\n", counted);
    }
    return line;
  };
}
