import { emitKeypressEvents } from "node:readline";

import { neutraliseLine } from "../terminal/neutralise.ts";
import type { Output } from "../terminal/output.ts";
import { cellsOf, graphemes, positionAfter } from "../terminal/width.ts";
import {
  cleared,
  type Editor,
  emptyEditor,
  type EditorEvent,
  type Key,
  press,
} from "./line-editor.ts";

/** A terminal with text that grows above one input line. Text given to it is safe already. */
export interface Screen {
  /** Whole lines above the input line. */
  print(text: string): void;
  /** Text that goes on where the last piece ended. */
  stream(text: string): void;
  /** Ends a streamed line that has no newline yet. */
  endLine(): void;
  /** What stands before the input; null hides the line until something is typed. */
  setPrompt(label: string | null): void;
  readonly draft: string;
  setDraft(text: string): void;
  /** Empties the line; Up brings it back. */
  clearDraft(): void;
  /** Gives the terminal back as it was. Idempotent. */
  close(): void;
}

export interface ScreenOptions {
  readonly input: NodeJS.ReadStream;
  readonly output: Output;
  /** Cells of the terminal as it is now. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly onEvent: (event: EditorEvent) => void;
  /** The terminal is gone. */
  readonly onGone: () => void;
}

const pasteOn = "\x1b[?2004h";
const pasteOff = "\x1b[?2004l";
/** Stands while the agent works. */
export const workingLabel = "… ";

export function openScreen(options: ScreenOptions): Screen {
  const { input, output } = options;
  let editor: Editor = emptyEditor;
  let label: string | null = null;
  /** Column where streamed text goes on; 0 = at the start of a line, the width = at the end of a full row. */
  let column = 0;
  let lastCharacter = "";
  /** Row of the cursor inside the input line that is drawn; null = none is. */
  let drawnRow: number | null = null;
  let redrawing: NodeJS.Immediate | null = null;
  let closed = false;

  const width = (): number => Math.max(10, options.size().columns);

  /** Bytes that take the input line away and put the cursor where streamed text goes on. */
  const erased = (): string => {
    if (drawnRow === null) return "";
    const up = drawnRow > 0 ? `\x1b[${drawnRow}A` : "";
    drawnRow = null;
    return `${up}\r\x1b[J${column > 0 ? backToText() : ""}`;
  };

  /** The input line was drawn below an unfinished line of text. */
  const backToText = (): string => {
    const right = (cells: number): string => (cells > 0 ? `\x1b[${cells}C` : "");
    if (column < width()) return `\x1b[1A${right(column)}`;
    // Only writing the last character of a full row brings back the wrap that it owes.
    return `\x1b[1A${right(column - cellsOf(lastCharacter))}${lastCharacter}`;
  };

  const drawn = (): string => {
    const shown = label ?? (editor.text === "" ? null : workingLabel);
    // Under a line that still streams an empty input line would only flicker.
    const isIdleUnderText = shown === workingLabel && editor.text === "" && column > 0;
    if (shown === null || isIdleUnderText || closed) return "";
    const { before, after } = visiblePart(editor, width() * Math.max(2, options.size().rows - 4));
    const head = shown + before;
    const cursor = wrapped(positionAfter(head, width()), width());
    const end = wrapped(positionAfter(after, width(), positionAfter(head, width())), width());
    drawnRow = cursor.row;
    const below = column > 0 ? "\r\n" : "";
    // A blank forces the wrap that a full last row still owes.
    const wrap = end.column === 0 && end.row > 0 ? " \r\x1b[K" : "";
    const up = end.row > cursor.row ? `\x1b[${end.row - cursor.row}A` : "";
    const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : "";
    return `${below}${head}${after}${wrap}${up}\r${right}`;
  };

  const draw = (text: string): void => {
    if (closed) return;
    const before = erased();
    if (text !== "") {
      ({ column } = positionAfter(text, width(), { row: 0, column }));
      lastCharacter = graphemes(text).at(-1) ?? "";
    }
    void output.write(`${before}${text.replaceAll("\n", "\r\n")}${drawn()}`);
  };

  /** Once for all keys that came together: a paste is thousands of them. */
  const redraw = (): void => {
    redrawing ??= setImmediate(() => {
      redrawing = null;
      draw("");
    });
  };

  const onKey = (text: string | undefined, key: Key): void => {
    const pressed = press(editor, { ...key, sequence: key.sequence ?? text });
    ({ editor } = pressed);
    redraw();
    if (pressed.event) options.onEvent(pressed.event);
  };
  const close = (): void => {
    if (closed) return;
    void output.write(`${erased()}${column > 0 ? "\r\n" : ""}${pasteOff}`);
    closed = true;
    input.off("keypress", onKey);
    process.stdout.off("resize", redraw);
    input.setRawMode(false);
    input.pause();
  };
  // A terminal that hangs up ends the input, or fails.
  input.on("end", options.onGone);
  input.on("error", options.onGone);
  output.gone.addEventListener("abort", options.onGone);
  process.stdout.on("resize", redraw);
  emitKeypressEvents(input);
  input.setRawMode(true);
  input.on("keypress", onKey);
  input.resume();
  void output.write(pasteOn);

  return {
    print(text) {
      draw(`${column > 0 ? "\n" : ""}${text.replace(/\n+$/, "")}\n`);
    },
    stream: draw,
    endLine() {
      if (column > 0) draw("\n");
    },
    setPrompt(next) {
      label = next;
      draw("");
    },
    get draft() {
      return editor.text;
    },
    setDraft(text) {
      editor = { ...editor, text, cursor: text.length, at: null };
      draw("");
    },
    clearDraft() {
      editor = cleared(editor);
      draw("");
    },
    close,
  };
}

/** What of a long draft fits the terminal, around the cursor; safe to show. */
function visiblePart(
  { text, cursor }: Editor,
  cells: number,
): { readonly before: string; readonly after: string } {
  // Chinese characters take two cells, and what is unsafe is shown longer than it is.
  const most = Math.floor(cells / 3);
  const start = Math.max(0, cursor - most);
  const end = Math.min(text.length, cursor + most);
  return {
    before: `${start > 0 ? "…" : ""}${neutraliseLine(text.slice(start, cursor).toWellFormed())}`,
    after: `${neutraliseLine(text.slice(cursor, end).toWellFormed())}${end < text.length ? "…" : ""}`,
  };
}

/** A full row ends on the next one: the terminal wraps before it writes there. */
function wrapped(
  { row, column }: { readonly row: number; readonly column: number },
  columns: number,
): { readonly row: number; readonly column: number } {
  return column >= columns ? { row: row + 1, column: 0 } : { row, column };
}
