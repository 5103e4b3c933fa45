import { openerAt, type Opener } from "./opener.ts";

/** A step through what a model says: text to show, and what opens behind it. */
export interface Step {
  /** Characters that are text. */
  readonly text: number;
  /** What opens right behind the text; `wait`: more must come before the rest can be told. */
  readonly next: Opener | "wait" | null;
  /** The rest has begun like a call. */
  readonly isBegun: boolean;
}

/**
 * Walks through prose and code as Markdown has them: what stands in a code block or in a span of code is never a call.
 * One walker for one reply; each is given what it has not yet called text.
 */
export function proseWalker(): (text: string, is: "open" | "ended") => Step {
  let isLineStart = true;
  let isReplyStart = true;
  /** Length of the run of backticks that opened a span of code in this line; 0 outside. */
  let span = 0;
  /** A call is shown in that span: it goes on behind the end of the line, up to its backticks or an empty line. */
  let showsCall = false;
  let fence: { readonly sign: string; readonly length: number } | null = null;

  function saw(text: string): void {
    if (text.trim() === "") return;
    isLineStart = false;
    isReplyStart = false;
  }

  /** How a run of backticks or tildes counts; null: it cannot be told yet. */
  function run(text: string, at: number, is: "open" | "ended"): Opener | "text" | null {
    const sign = text[at] ?? "";
    let end = at;
    while (text[end] === sign) end += 1;
    const length = end - at;
    if (end === text.length && is === "open" && length < longestInfo) return null;
    if (isLineStart && span === 0 && length >= 3) {
      if (fence !== null) {
        if (sign === fence.sign && length >= fence.length) fence = null;
        return "text";
      }
      const lineEnd = text.indexOf("\n", end);
      if (lineEnd < 0 && is === "open" && text.length - at <= longestInfo) return null;
      const info = text.slice(end, lineEnd < 0 ? text.length : lineEnd).trim();
      if (lineEnd >= 0 && /^tool_calls?$/.test(info)) {
        return { kind: "json", end: text.slice(at, end), length: lineEnd + 1 - at };
      }
      fence = { sign, length };
    } else if (sign === "`" && fence === null) {
      span = span === 0 ? length : span === length ? 0 : span;
      showsCall &&= span > 0;
    }
    return "text";
  }

  return (text, is) => {
    let at = 0;
    const stop = (next: Step["next"], isBegun = false): Step => ({ text: at, next, isBegun });
    while (at < text.length) {
      special.lastIndex = at;
      const found = special.exec(text)?.index ?? text.length;
      saw(text.slice(at, found));
      at = found;
      if (at === text.length) break;
      const sign = text[at];
      if (sign === "\n") {
        if (isLineStart || !showsCall) span = 0;
        showsCall &&= span > 0;
        isLineStart = true;
        at += 1;
      } else if (sign === "<") {
        const opener = fence === null ? openerAt(text, at, { isLineStart, isReplyStart }) : null;
        const isCut = opener === "maybe" || opener === "begun";
        if (isCut && is === "open") return stop("wait");
        if (span > 0) showsCall ||= opener !== null && opener !== "maybe";
        else if (isCut) {
          if (opener === "begun") return stop("wait", true);
        } else if (opener !== null) return stop(opener);
        saw("<");
        at += 1;
      } else {
        const counts = run(text, at, is);
        if (counts === null) return stop("wait");
        if (counts !== "text") return stop(counts);
        saw("`");
        let end = at;
        while (text[end] === sign) end += 1;
        at = end;
      }
    }
    return stop(null);
  };
}

const special = /[<`~\n]/g;

/** Longer runs, and longer lines behind an opening fence, are not waited for. */
const longestInfo = 80;
