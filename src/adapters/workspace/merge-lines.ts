import { diffLines, type LineHunk } from "./line-diff.ts";

/** Lines of theirs to replace, from 0, and what takes their place. */
export interface MergedHunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * Three-way merge: what was changed from `base` to `mine`, as changes to `theirs`. Null when both changed the same
 * lines, or lines next to each other, differently.
 */
export function mergeLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly MergedHunk[] | null {
  const theirHunks = diffLines(base, theirs);
  const merged: MergedHunk[] = [];
  for (const hunk of diffLines(base, mine)) {
    const lines = mine.slice(hunk.newFrom, hunk.newTo);
    const touching = theirHunks.filter((other) => other.from <= hunk.to && hunk.from <= other.to);
    if (touching.length === 0) {
      const shift = shiftAt(theirHunks, hunk.from);
      merged.push({ from: hunk.from + shift, to: hunk.to + shift, lines });
    } else if (!touching.every((other) => isSame(other, hunk, { theirs, lines }))) return null;
  }
  return merged;
}

/** Both made the same change. */
function isSame(
  other: LineHunk,
  hunk: LineHunk,
  what: { readonly theirs: readonly string[]; readonly lines: readonly string[] },
): boolean {
  const { theirs, lines } = what;
  return (
    other.from === hunk.from &&
    other.to === hunk.to &&
    other.newTo - other.newFrom === lines.length &&
    lines.every((line, index) => theirs[other.newFrom + index] === line)
  );
}

/** By how many lines the place has moved. */
function shiftAt(hunks: readonly LineHunk[], line: number): number {
  const last = hunks.findLast((hunk) => hunk.to <= line);
  return last === undefined ? 0 : last.newTo - last.to;
}
