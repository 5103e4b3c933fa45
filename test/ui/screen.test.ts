import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";

import type { EditorEvent } from "../../src/ui/interactive/line-editor.ts";
import { openScreen, type Screen } from "../../src/ui/interactive/screen.ts";
import { graphemes, positionAfter } from "../../src/ui/terminal/width.ts";

const columns = 12;

/* oxlint-disable no-control-regex -- escape sequences are what a terminal reads */

/** A terminal as far as the screen uses one: text, wrapping when the next character comes, a few sequences. */
class Emulator {
  rows: string[][] = [[]];
  row = 0;
  column = 0;

  write(text: string): void {
    for (const [piece] of text.matchAll(/\x1b\[\??\d*[A-Za-z]|[^\x1b]/gu)) this.#put(piece);
  }

  #put(piece: string): void {
    const [, count = "1", letter] = /^\x1b\[(\d*)([A-Za-z])$/.exec(piece) ?? [];
    if (letter === "A") this.row = Math.max(0, this.row - Number(count || 1));
    else if (letter === "C") this.column = Math.min(columns - 1, this.column + Number(count || 1));
    else if (letter === "J") this.#clear();
    else if (letter === "K") this.#line().length = this.column;
    else if (piece === "\r") this.column = 0;
    else if (piece === "\n") this.row += 1;
    else if (!piece.startsWith("\x1b")) this.#character(piece);
  }

  #clear(): void {
    this.#line().length = Math.min(this.#line().length, this.column);
    this.rows.length = this.row + 1;
  }

  #character(character: string): void {
    const cells = positionAfter(character, columns).column;
    if (this.column + cells > columns) {
      this.row += 1;
      this.column = 0;
    }
    const line = this.#line();
    while (line.length < this.column) line.push(" ");
    line.splice(this.column, cells, character, ...Array.from({ length: cells - 1 }, () => ""));
    this.column += cells;
  }

  #line(): string[] {
    while (this.rows.length <= this.row) this.rows.push([]);
    return this.rows[this.row] ?? [];
  }

  get text(): string {
    return this.rows.map((row) => row.join("").trimEnd()).join("\n");
  }
}

interface Rig {
  readonly screen: Screen;
  readonly emulator: Emulator;
  readonly events: EditorEvent[];
  readonly type: (keys: string) => Promise<void>;
}

function rig(): Rig {
  const emulator = new Emulator();
  const events: EditorEvent[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: () => input });
  const screen = openScreen({
    // What the screen uses of a terminal's input.
    input: input as unknown as NodeJS.ReadStream,
    output: {
      isTerminal: true,
      gone: new AbortController().signal,
      drained: () => Promise.resolve(),
      write(text) {
        emulator.write(text);
        return Promise.resolve();
      },
    },
    size: () => ({ columns, rows: 24 }),
    onEvent: (event) => events.push(event),
    onGone: () => {},
  });
  const type = async (keys: string): Promise<void> => {
    input.write(keys);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { screen, emulator, events, type };
}

/** What a terminal of this width shows of a text. */
function wrappedText(text: string): string {
  let shown = "";
  let line = "";
  for (const character of graphemes(text)) {
    if (character === "\n") {
      shown += `${line}\n`;
      line = "";
    } else {
      if (positionAfter(line + character, columns).row > 0) {
        shown += `${line}\n`;
        line = "";
      }
      line += character;
    }
  }
  return shown + line;
}

test("text goes on where it ended, above the input line", async () => {
  const { screen, emulator, type } = rig();
  screen.setPrompt("> ");
  screen.stream("first ");
  await type("my draft");
  screen.stream("second");
  assert.equal(emulator.text, "first second\n> my draft");
  screen.stream(" third\n");
  screen.print("line");
  assert.equal(emulator.text, "first second\n third\nline\n> my draft");
});

test("a draft longer than a row, with wide characters, keeps its place and its cursor", async () => {
  const { screen, emulator, type } = rig();
  screen.setPrompt("> ");
  await type("你好你好你好ab");
  assert.equal(emulator.text, "> 你好你好你\n好ab");
  assert.deepEqual([emulator.row, emulator.column], [1, 4]);
  await type("\x1b[D\x1b[D\x1b[D");
  assert.deepEqual([emulator.row, emulator.column], [1, 0]);
  screen.print("above");
  assert.equal(emulator.text, "above\n> 你好你好你\n好ab");
});

test("the working sign stands alone under whole lines and not under a line that streams", () => {
  const { screen, emulator } = rig();
  screen.setPrompt("… ");
  screen.print("line");
  assert.equal(emulator.text, "line\n…");
  screen.stream("half");
  assert.equal(emulator.text, "line\nhalf");
});

test("a paste is drawn once and submitted by nobody", async () => {
  const { screen, events, type } = rig();
  screen.setPrompt("> ");
  await type("\x1b[200~one\rtwo\x1b[201~");
  assert.deepEqual([screen.draft, events], ["one\ntwo", []]);
});

test("whatever is streamed and typed in whatever order, the terminal shows the text and then the draft", async () => {
  let seed = 11;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed >>> 8) % below;
  };
  const pieces = ["a", "bc ", "你", "long words ", "twelve chars", "\n", "é", "好好好好好好", "x"];
  for (let round = 0; round < 60; round++) {
    const { screen, emulator, type } = rig();
    screen.setPrompt("> ");
    let text = "";
    let draft = "";
    for (let step = 0; step < 12; step++) {
      const piece = pieces[next(pieces.length)] ?? "";
      if (next(3) === 0 && piece !== "\n") {
        draft += piece;
        await type(piece);
      } else {
        text += piece;
        screen.stream(piece);
      }
    }
    const line = wrappedText(`> ${draft}`);
    const above = wrappedText(text);
    const expected = above === "" ? line : `${above}${above.endsWith("\n") ? "" : "\n"}${line}`;
    const shown = emulator.text;
    screen.close();
    // After a full last row the cursor waits on an empty one.
    assert.equal(shown.trimEnd(), withoutBlanks(expected), JSON.stringify({ text, draft }));
  }
});

const withoutBlanks = (text: string): string => text.replaceAll(/ +$/gm, "").trimEnd();
