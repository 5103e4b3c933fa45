/** Characters that take two cells (Unicode East Asian Width W and F, and emoji shown as pictures). */
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{17000}-\u{18CFF}\u{1B000}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]|^\p{Emoji_Presentation}/u;
const zero = /^[\p{Mn}\p{Me}]+$/u;

const segmenter = (): Intl.Segmenter => new Intl.Segmenter("en", { granularity: "grapheme" });
let shared: Intl.Segmenter | null = null;

/** What a reader sees as single characters. */
export function graphemes(text: string): readonly string[] {
  shared ??= segmenter();
  return [...shared.segment(text)].map(({ segment }) => segment);
}

/** Cells of one grapheme. */
export function cellsOf(grapheme: string): number {
  if (zero.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

/** Where a cursor stands after text was written from column 0 of row 0, in a terminal that wraps. */
export function positionAfter(
  text: string,
  columns: number,
  from: { readonly row: number; readonly column: number } = { row: 0, column: 0 },
): { readonly row: number; readonly column: number } {
  let { row, column } = from;
  for (const grapheme of graphemes(text)) {
    if (grapheme === "\n") {
      row += 1;
      column = 0;
      continue;
    }
    // Tab stops stand every eight columns; a tab never wraps.
    const cells =
      grapheme === "\t" ? Math.min(8 - (column % 8), columns - 1 - column) : cellsOf(grapheme);
    if (column + cells > columns) {
      row += 1;
      column = 0;
    }
    column += cells;
  }
  return { row, column };
}
