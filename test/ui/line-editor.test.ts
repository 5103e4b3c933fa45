import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cleared,
  type Editor,
  emptyEditor,
  type EditorEvent,
  type Key,
  press,
} from "../../src/ui/interactive/line-editor.ts";

const typed = (text: string): readonly Key[] => Array.from(text, (sequence) => ({ sequence }));
const key = (name: string): Key => ({ name });
const ctrl = (name: string): Key => ({ name, ctrl: true });

function after(
  keys: readonly Key[],
  from: Editor = emptyEditor,
): { readonly editor: Editor; readonly events: readonly EditorEvent[] } {
  const events: EditorEvent[] = [];
  let editor = from;
  for (const one of keys) {
    const pressed = press(editor, one);
    ({ editor } = pressed);
    if (pressed.event) events.push(pressed.event);
  }
  return { editor, events };
}

const edits = [
  {
    title: "letters are inserted at the cursor",
    keys: [...typed("ac"), key("left"), ...typed("b")],
    text: "abc",
    cursor: 2,
  },
  {
    title: "backspace takes one visible character",
    keys: [...typed("a"), { sequence: "👩‍👧" }, key("backspace")],
    text: "a",
    cursor: 1,
  },
  {
    title: "a Chinese character is one character",
    keys: [...typed("你好"), key("left"), key("backspace")],
    text: "好",
    cursor: 0,
  },
  {
    title: "Ctrl-A and Ctrl-K empty the line",
    keys: [...typed("abc"), ctrl("a"), ctrl("k")],
    text: "",
    cursor: 0,
  },
  {
    title: "Ctrl-U takes what is before the cursor",
    keys: [...typed("abc"), key("left"), ctrl("u")],
    text: "c",
    cursor: 0,
  },
  {
    title: "Ctrl-W takes a word",
    keys: [...typed("one two "), ctrl("w")],
    text: "one ",
    cursor: 4,
  },
  {
    title: "delete takes what is after the cursor",
    keys: [...typed("ab"), key("home"), key("delete")],
    text: "b",
    cursor: 0,
  },
  {
    title: "Alt-Enter is a new line",
    keys: [...typed("a"), { name: "return", meta: true }, ...typed("b")],
    text: "a\nb",
    cursor: 3,
  },
  {
    title: "control bytes and escape sequences are no text",
    keys: [{ sequence: "\x1b[1;5Z" }, { sequence: "\x07" }, key("escape"), key("tab")],
    text: "",
    cursor: 0,
  },
  {
    title: "the ends of the line hold",
    keys: [key("left"), key("right"), key("up"), key("down")],
    text: "",
    cursor: 0,
  },
];

for (const { title, keys, text, cursor } of edits) {
  test(title, () => {
    const { editor } = after(keys);
    assert.deepEqual([editor.text, editor.cursor], [text, cursor]);
  });
}

test("Enter submits and remembers; Up goes back through the lines, Down returns to the draft", () => {
  const first = after([...typed("one"), key("return"), ...typed("two"), key("return")]);
  assert.deepEqual(
    first.events.map((event) => event.type === "submit" && event.text),
    ["one", "two"],
  );
  const back = after([...typed("draft"), key("up"), key("up"), key("up")], first.editor);
  assert.equal(back.editor.text, "one");
  assert.equal(after([key("down"), key("down")], back.editor).editor.text, "draft");
});

test("[I01] a cleared draft comes back with Up", () => {
  const editor = cleared(after(typed("half a thought")).editor);
  assert.equal(editor.text, "");
  assert.equal(after([key("up")], editor).editor.text, "half a thought");
});

test("a paste keeps its newlines and submits nothing", () => {
  const keys = [key("paste-start"), ...typed("a"), key("return"), ...typed("b"), key("paste-end")];
  const { editor, events } = after(keys);
  assert.deepEqual([editor.text, events], ["a\nb", []]);
});

test("Ctrl-C is told, Ctrl-D only on an empty line", () => {
  assert.deepEqual(after([ctrl("c"), ctrl("d")]).events, [{ type: "interrupt" }, { type: "end" }]);
  assert.deepEqual(after([...typed("x"), ctrl("d")]).events, []);
});
