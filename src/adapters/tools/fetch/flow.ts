/** Text as it is put together: blanks fold, gaps do not add up, marks stand close to the words they are for. */
export interface Flow {
  /** Words of a page: any run of blanks is one. */
  words(text: string): void;
  /** Text that stays as it is, in the line. */
  raw(text: string): void;
  /** `[`, `**`, `## `: written before the next words, unless none come. */
  open(mark: string): void;
  /** Its counterpart; nothing, when no words came. */
  close(mark: string, opened: string): void;
  /** What follows begins at least so many lines below. */
  gap(lines: 1 | 2): void;
  /** A gap, whole lines, a gap. */
  block(text: string, lines: 1 | 2): void;
  text(): string;
}

export function flow(): Flow {
  const parts: string[] = [];
  let gapLines = 0;
  let hasBlank = false;
  let marks: string[] = [];

  function put(text: string): void {
    if (parts.length > 0 && gapLines > 0) parts.push("\n".repeat(gapLines));
    else if (parts.length > 0 && hasBlank) parts.push(" ");
    parts.push(...marks, text);
    gapLines = 0;
    hasBlank = false;
    marks = [];
  }

  function gap(lines: 1 | 2): void {
    gapLines = Math.max(gapLines, lines);
  }

  return {
    words(text) {
      const folded = text.replace(/[ \t\n\r\f\u00a0]+/g, " ");
      if (folded.startsWith(" ")) hasBlank = true;
      const trimmed = folded.trim();
      if (trimmed === "") return;
      put(trimmed);
      hasBlank = folded.endsWith(" ");
    },
    raw: put,
    open(mark) {
      marks.push(mark);
    },
    close(mark, opened) {
      if (marks.at(-1) === opened) marks.pop();
      else parts.push(mark);
    },
    gap,
    block(text, lines) {
      gap(lines);
      if (text === "") return;
      put(text);
      gap(lines);
    },
    text: () => parts.join(""),
  };
}
