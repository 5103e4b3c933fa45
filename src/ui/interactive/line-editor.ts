import { graphemes } from "../terminal/width.ts";

/** A key as `node:readline` tells it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** A line being written, and the lines before it. */
export interface Editor {
  readonly text: string;
  /** Index into `text`. */
  readonly cursor: number;
  /** Newest first. */
  readonly history: readonly string[];
  /** Position in `history`; null = the line itself. */
  readonly at: number | null;
  /** What was written before the history was looked at. */
  readonly kept: string;
  readonly pasting: boolean;
}

export const emptyEditor: Editor = {
  text: "",
  cursor: 0,
  history: [],
  at: null,
  kept: "",
  pasting: false,
};

export type EditorEvent =
  | { readonly type: "submit"; readonly text: string }
  /** Ctrl-C. */
  | { readonly type: "interrupt" }
  /** Ctrl-D on an empty line. */
  | { readonly type: "end" };

export interface Pressed {
  readonly editor: Editor;
  readonly event: EditorEvent | null;
}

/** What a key does. Keys that mean nothing here change nothing. */
export function press(editor: Editor, key: Key): Pressed {
  if (key.name === "paste-start") return changed({ ...editor, pasting: true });
  if (key.name === "paste-end") return changed({ ...editor, pasting: false });
  if (editor.pasting) return changed(insert(editor, pastedText(key)));
  if (key.ctrl === true) return control(editor, key.name ?? "");
  switch (key.name ?? "") {
    case "return":
    case "enter":
      return key.meta === true
        ? changed(insert(editor, "\n"))
        : { editor: submitted(editor), event: { type: "submit", text: editor.text } };
    case "backspace":
      return changed(
        key.meta === true ? cutBack(editor, wordStart(editor)) : cutBack(editor, before(editor)),
      );
    case "delete":
      return changed(cutTo(editor, after(editor)));
    case "left":
      return changed({ ...editor, cursor: before(editor) });
    case "right":
      return changed({ ...editor, cursor: after(editor) });
    case "home":
      return changed({ ...editor, cursor: 0 });
    case "end":
      return changed({ ...editor, cursor: editor.text.length });
    case "up":
      return changed(recall(editor, 1));
    case "down":
      return changed(recall(editor, -1));
    case "tab":
    case "escape":
      return changed(editor);
    default:
      return changed(insert(editor, typedText(key)));
  }
}

const changed = (editor: Editor): Pressed => ({ editor, event: null });

function control(editor: Editor, name: string): Pressed {
  switch (name) {
    case "c":
      return { editor, event: { type: "interrupt" } };
    case "d":
      return editor.text === ""
        ? { editor, event: { type: "end" } }
        : changed(cutTo(editor, after(editor)));
    case "a":
      return changed({ ...editor, cursor: 0 });
    case "e":
      return changed({ ...editor, cursor: editor.text.length });
    case "u":
      return changed(cutBack(editor, 0));
    case "k":
      return changed(cutTo(editor, editor.text.length));
    case "w":
      return changed(cutBack(editor, wordStart(editor)));
    case "h":
      return changed(cutBack(editor, before(editor)));
    case "j":
      return changed(insert(editor, "\n"));
    default:
      return changed(editor);
  }
}

/** Printable text of a key; control bytes and escape sequences are none. */
function typedText({ sequence = "", meta }: Key): string {
  return meta === true || /[\p{Cc}]/u.test(sequence) ? "" : sequence;
}

function pastedText({ name, sequence = "" }: Key): string {
  if (name === "return" || name === "enter") return "\n";
  return sequence === "\t" ? "\t" : typedText({ sequence });
}

function insert(editor: Editor, text: string): Editor {
  const { text: old, cursor } = editor;
  return {
    ...editor,
    text: old.slice(0, cursor) + text + old.slice(cursor),
    cursor: cursor + text.length,
  };
}

/** The line gone, and findable with Up when it held something. */
export function cleared(editor: Editor): Editor {
  return { ...submitted(editor), pasting: false };
}

function submitted(editor: Editor): Editor {
  const { text, history } = editor;
  const isNew = text.trim() !== "" && history[0] !== text;
  return { ...emptyEditor, history: isNew ? [text, ...history].slice(0, 500) : history };
}

function cutBack(editor: Editor, from: number): Editor {
  const { text, cursor } = editor;
  return { ...editor, text: text.slice(0, from) + text.slice(cursor), cursor: from };
}

function cutTo(editor: Editor, end: number): Editor {
  const { text, cursor } = editor;
  return { ...editor, text: text.slice(0, cursor) + text.slice(end) };
}

const before = ({ text, cursor }: Editor): number =>
  cursor - (graphemes(text.slice(0, cursor)).at(-1)?.length ?? 0);

const after = ({ text, cursor }: Editor): number =>
  cursor + (graphemes(text.slice(cursor))[0]?.length ?? 0);

const wordStart = ({ text, cursor }: Editor): number =>
  text.slice(0, cursor).replace(/\S+\s*$/u, "").length;

function recall(editor: Editor, step: 1 | -1): Editor {
  const next = (editor.at ?? -1) + step;
  if (next < -1 || next >= editor.history.length) return editor;
  const kept = editor.at === null ? editor.text : editor.kept;
  const text = next === -1 ? kept : (editor.history[next] ?? "");
  return { ...editor, text, cursor: text.length, at: next === -1 ? null : next, kept };
}
