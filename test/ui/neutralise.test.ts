import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cutLine,
  neutralise,
  neutraliseControls,
  neutraliseLine,
} from "../../src/ui/terminal/neutralise.ts";

/** What a terminal or a reader could be fooled with; newline and tab are left out. */
const raw =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]|[\ud800-\udfff](?![\udc00-\udfff])(?<![\ud800-\udbff][\udc00-\udfff])/u;

const cases = [
  {
    title: "[T13] a clipboard write shows as text",
    text: "\x1b]52;c;eA==\x07",
    shown: "␛]52;c;eA==␇",
  },
  { title: "[T13] a cleared screen shows as text", text: "a\x1b[2Jb", shown: "a␛[2Jb" },
  { title: "C1 controls are named", text: "a\x9b31mb", shown: "a<U+009B>31mb" },
  {
    title: "a text that runs backwards is named",
    text: "a\u202Eb\u2066c",
    shown: "a<U+202E>b<U+2066>c",
  },
  {
    title: "zero-width characters are named",
    text: "pay\u200Bpal\uFEFF",
    shown: "pay<U+200B>pal<U+FEFF>",
  },
  { title: "tag characters are named", text: "\u{E0041}", shown: "<U+E0041>" },
  {
    title: "a carriage return cannot hide what came before",
    text: "rm -rf /\rls",
    shown: "rm -rf /␍ls",
  },
  { title: "line ends of Windows are line ends", text: "a\r\nb", shown: "a\nb" },
  { title: "newline and tab stay", text: "a\n\tb", shown: "a\n\tb" },
  { title: "half a surrogate pair is named", text: "a\uD83D", shown: "a<U+D83D>" },
  {
    title: "words of every script stay whole",
    text: "你好 Привет مرحبا שלום 😀 é",
    shown: "你好 Привет مرحبا שלום 😀 é",
  },
  { title: "an Arabic number sign is visible and stays", text: "\u0601١", shown: "\u0601١" },
];

for (const { title, text, shown } of cases) {
  test(title, () => assert.equal(neutralise(text), shown));
}

test("[T13] 100,000 random strings leave no raw control, and a second pass changes nothing", () => {
  let seed = 42;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  const blocks = [0x20, 0xa0, 0x100, 0x700, 0x2100, 0xffff, 0x10ffff];
  for (let round = 0; round < 100_000; round++) {
    const codes = Array.from({ length: 8 }, () => next(blocks[next(blocks.length)] ?? 1));
    const text = codes.map((code) => String.fromCodePoint(code)).join("");
    const shown = neutralise(text);
    if (raw.test(shown) || neutralise(shown) !== shown) assert.fail(JSON.stringify(codes));
  }
});

test("one line stays one line, and is cut by characters", () => {
  assert.equal(neutraliseLine("a\nb\tc"), "a⏎b c");
  assert.equal(cutLine("😀".repeat(30), 5), "😀😀😀😀…");
  assert.equal(cutLine("short", 5), "short");
});

test("for a pipe only controls are shown: joined emoji and line ends stay as they are", () => {
  assert.equal(neutraliseControls("👨‍👩‍👧\r\n\x1b[1mx\x85"), "👨‍👩‍👧\r\n␛[1mx<U+0085>");
});
