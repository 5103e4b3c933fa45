/** How many lines of a text end in which way. */
export interface LineEnds {
  readonly lf: number;
  readonly crlf: number;
  /** Lone CR. */
  readonly cr: number;
}

export function countLineEnds(text: string): LineEnds {
  const lineFeeds = count(text, "\n");
  const crlf = count(text, "\r\n");
  const cr = text.includes("\r") ? count(text, "\r") - crlf : 0;
  return { lf: lineFeeds - crlf, crlf, cr };
}

function count(text: string, what: string): number {
  let found = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + what.length)) found++;
  return found;
}

export type LineEndStyle = "lf" | "crlf" | "cr" | "mixed" | "none";

export function lineEndStyle({ lf, crlf, cr }: LineEnds): LineEndStyle {
  const kinds = [lf, crlf, cr].filter((lines) => lines > 0).length;
  if (kinds === 0) return "none";
  if (kinds > 1) return "mixed";
  if (lf > 0) return "lf";
  return crlf > 0 ? "crlf" : "cr";
}

/** Every line end as LF, so that texts of different style can be compared. */
export const withLineFeeds = (text: string): string =>
  text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;

/** Lines as an editor counts them: a line end at the very end begins no further line. */
export function countLines(text: string): number {
  if (text === "") return 0;
  const { lf, crlf, cr } = countLineEnds(text);
  // Lone CRs end lines only in files that know nothing else.
  const ends = lf + crlf === 0 ? cr : lf + crlf;
  const isOpen = lf + crlf === 0 && cr > 0 ? !text.endsWith("\r") : !text.endsWith("\n");
  return ends + (isOpen ? 1 : 0);
}
