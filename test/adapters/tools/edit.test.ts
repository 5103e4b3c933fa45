import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import iconv from "iconv-lite";
import type { JsonObject } from "#core";
import { builtInTools } from "#adapters/tools";
import { said, use, workbench } from "./workbench.ts";

const found = builtInTools().find(({ name }) => name === "edit");
assert.ok(found);
const tool = found;

type Row = readonly [what: string, before: string, edit: JsonObject, after: string, says: RegExp];
const change = (old_text: string, new_text: string): JsonObject => ({ old_text, new_text });

const applied: readonly Row[] = [
  [
    "one line",
    "a\nb\nc\n",
    change("b", "B"),
    "a\nB\nc\n",
    /^wrote 6 bytes to f, line 2 \(changed 1 place\)$/,
  ],
  ["context is not counted", "a\nb\nc\n", change("a\nb\nc", "a\nB\nc"), "a\nB\nc\n", /line 2 /],
  ["lines added", "a\nb\n", change("a\n", "a\nx\ny\n"), "a\nx\ny\nb\n", /lines 2-3 /],
  ["lines added after the last", "a\nb", change("b", "b\nc"), "a\nb\nc", /line 3 /],
  [
    "lines removed",
    "a\nb\nc\n",
    change("b\n", ""),
    "a\nc\n",
    /to f \(changed 1 place; removed whole lines at line 2\)/,
  ],
  ["everything removed", "a\n", change("a\n", ""), "", /^wrote 0 bytes to f \(/],
  [
    "CRLF file, LF text",
    "a\r\nb\r\nc\r\n",
    change("a\nb", "a\nx\ny"),
    "a\r\nx\r\ny\r\nc\r\n",
    /lines 2-3 .*kept CRLF line ends/,
  ],
  ["CRLF text, LF file", "a\nb\n", change("a\r\nb", "x\r\ny"), "x\ny\n", /lines 1-2/],
  [
    "mixed, the same number of lines",
    "a\r\nb\nc\r\n",
    change("a\nb\nc", "A\nb\nC"),
    "A\r\nb\nC\r\n",
    /kept mixed/,
  ],
  ["mixed, a line more", "a\r\nb\nc\n", change("b", "b\nx"), "a\r\nb\nx\nc\n", /line 3/],
  ["lone CR between", "a\rb\r\nc\n", change("c", "d"), "a\rb\r\nd\n", /line \d/],
  ["CR only", "a\rb\rc\r", change("b\n", "b\nx\n"), "a\rb\rx\rc\r", /kept CR line ends/],
  ["an emoji by one like it", "a😀b\n", change("😀", "😁"), "a😁b\n", /line 1/],
  [
    "every one",
    "a a\na\n",
    { ...change("a", "aa"), replace_all: true },
    "aa aa\naa\n",
    /lines 1-2 \(changed 3 places\)/,
  ],
  [
    "several",
    "a\nb\nc\n",
    { edits: [change("c", "C"), change("a", "A\nx")] },
    "A\nx\nb\nC\n",
    /lines 1-4 \(changed 2 places/,
  ],
  [
    "several with common context",
    "a\nb\nc\n",
    { edits: [change("a\nb", "x\nb"), change("b\nc", "b\ny")] },
    "x\nb\ny\n",
    /changed 2/,
  ],
  ["literal dollars", "KEY\n", change("KEY", "$& $1 $$ $<n>"), "$& $1 $$ $<n>\n", /line 1/],
  ["literal escapes", "x = 'a'\n", change("'a'", "'\\0\\n'"), "x = '\\0\\n'\n", /line 1/],
  ["curly quotes untouched", '“a” "b"\n', change('"b"', '“c"'), '“a” “c"\n', /line 1/],
];

test("[E01] [E02] [E05] [E08] [E23] R114 edits change what they name, in the file's style, and say where", async () => {
  const wrong = [];
  for (const [what, before, edit, after, says] of applied) {
    const bench = workbench({ f: before });
    const end = await use(tool, { path: "f", ...edit }, bench);
    const isRight = end.outcome === "ok" && bench.text("f") === after && says.test(said(end));
    if (!isRight) wrong.push([what, bench.text("f"), said(end)]);
  }
  assert.deepEqual(wrong, []);
});

const refused: readonly (readonly [
  what: string,
  before: string,
  edit: JsonObject,
  says: RegExp,
])[] = [
  [
    "not there",
    "alpha\n",
    change("beta", "x"),
    /old_text is not in f; nothing was changed. No line of the file is near/,
  ],
  [
    "nearly there",
    "a\ntotal = price * quantity\n",
    change("total = price * qty", "x"),
    /nearest is line 2: `total = price \* quantity`. At column 18 the file has u \(U\+0075\), old_text has t/,
  ],
  [
    "NBSP for a space, and more",
    "say\u00a0hello there\n",
    change("say hello thers", "x"),
    /At column 4 the file has U\+00A0, old_text has a space \(U\+0020\)/,
  ],
  [
    "full width, and more",
    "你好，世界\n",
    change("你好,世间", "x"),
    /the file has ， \(U\+FF0C\), old_text has , \(U\+002C\)/,
  ],
  [
    "a line of the block differs",
    "f():\n  a()\n  b()\n",
    change("f():\n  a()\n  c()\n", "x"),
    /nearest is line 3: `  b\(\)`/,
  ],
  [
    "tabs for spaces, and more",
    "\tif counted:\n",
    change("    if counter:", "y"),
    /the file has a tab \(U\+0009\), old_text has a space/,
  ],
  [
    "two places but for blanks",
    "  x = 1\n    x = 1\n",
    change("x = 1 ", "x = 2"),
    /old_text is at 2 places in f, but for trailing blanks: lines 1, 2. Nothing was changed/,
  ],
  [
    "two places but for the kind of quotes",
    "“a”\n„a”\n",
    { ...change('"a"', "b"), replace_all: true },
    /old_text is at 2 places in f, but for typographic quotes: lines 1, 2/,
  ],
  [
    "steps of indentation that the file does not tell",
    "\tif x:\n\t\ty()\n",
    change("  if x:\n    y()\n", "  if x:\n     z()\n"),
    /the same but for their indentation, and new_text has steps of indentation that cannot be told/,
  ],
  ["indentation without a rule", "\ta\n  b\n", change("  a\n  b\nq", "x"), /old_text is not in f/],
  ["already so, but for quotes", "“a”\n", change('"a"', "“a”"), /has new_text there already/],
  [
    "many places",
    "x\ny\nx\nx\n",
    change("x", "z"),
    /old_text is at 3 places in f: lines 1, 3, 4. Nothing was changed/,
  ],
  ["no change", "a\r\n", change("a\r\n", "a\n"), /are the same/],
  ["empty old text", "a\n", change("", "b"), /old_text is empty/],
  [
    "one of several fails",
    "a\nb\n",
    { edits: [change("a", "A"), change("z", "Z")] },
    /^Edit 2 of 2 \(none was applied\): old_text is not in f/,
  ],
  [
    "overlap",
    "abcdef\n",
    { edits: [change("abcd", "1"), change("cdef", "2")] },
    /change the same text near line 1/,
  ],
  [
    "both forms",
    "a\n",
    { ...change("a", "b"), edits: [change("a", "b")] },
    /either old_text and new_text or edits, not both/,
  ],
  ["new text missing", "a\n", { old_text: "a" }, /`new_text` is missing/],
  ["placeholder", "a\nb\n", change("b", "  # ... existing code ..."), /stands for text left out/],
];

test("R38 [E07] [E11] an edit that does not fit exactly one place changes nothing and says what is near", async () => {
  const wrong = [];
  for (const [what, before, edit, says] of refused) {
    const bench = workbench({ f: before });
    const end = await use(tool, { path: "f", ...edit }, bench);
    const isRight = end.outcome === "error" && bench.text("f") === before && says.test(said(end));
    if (!isRight) wrong.push([what, said(end)]);
  }
  assert.deepEqual(wrong, []);
});

/** What an old text may differ in, and what is written then. */
const tolerated: readonly Row[] = [
  [
    "blanks in the file",
    "f():   \n  a\n",
    change("f():\n  a", "f():\n  b"),
    "f():\n  b\n",
    /in trailing blanks/,
  ],
  ["blanks in the old text", "a\nb\n", change("a  \nb", "a\nc"), "a\nc\n", /in trailing blanks/],
  [
    "blanks around stay",
    "a  \nb  \nc \n",
    change("b\nc", "B\nc"),
    "a  \nB\nc \n",
    /line 2 .*in trailing blanks/,
  ],
  ["a blank line", "a\n\nb\n", change("a\n \t\nb", "a\n\nc"), "a\n\nc\n", /in trailing blanks/],
  [
    "quotes",
    "say(“hi”)\n",
    change('say("hi")', 'say("bye")'),
    'say("bye")\n',
    /in typographic quotes\)/,
  ],
  ["dashes", "1–5 − 2\n", change("1-5 - 2", "1-9"), "1-9\n", /in dashes\)/],
  [
    "no-break space",
    "a\u00a0b c\n",
    change("a b", "a\u00a0d"),
    "a\u00a0d c\n",
    /in special spaces\)/,
  ],
  [
    "full width",
    "好，（一）\n",
    change("好,(一)", "好，（二）"),
    "好，（二）\n",
    /in full-width punctuation\)/,
  ],
  [
    "quotes and blanks",
    "‘a’ \nb\n",
    change("'a'\nb", "c"),
    "c\n",
    /in trailing blanks, typographic quotes\)/,
  ],
  [
    "no indentation",
    "class A:\n    def f():\n        x\n",
    change("  def f():\n      x\n", "  def f():\n\n      y\n"),
    "class A:\n    def f():\n\n        y\n",
    /in indentation \(new_text got the file's\)/,
  ],
  [
    "too much of it",
    "f():\n  x\n",
    change("    f():\n      x", "    f():\n      if y:\n        x"),
    "f():\n  if y:\n    x\n",
    /in indentation/,
  ],
  [
    "tabs for spaces",
    "\tif x:\n\t\ty()\n",
    change("    if x:\n        y()\n", "    if x:\n        z(\n            1)\n"),
    "\tif x:\n\t\tz(\n\t\t\t1)\n",
    /in indentation/,
  ],
  [
    "other steps",
    "a:\n  b:\n    c\n",
    change("a:\n    b:\n        c", "a:\n    b:\n        d"),
    "a:\n  b:\n    d\n",
    /in indentation/,
  ],
  [
    "indentation at an open end",
    "a:\n\tb",
    change("a:\n  b\n", "a:\n  c\n"),
    "a:\n\tc",
    /in indentation/,
  ],
  [
    "indentation, CRLF",
    "a:\r\n\tb\r\nc\r\n",
    change("a:\n  b\n", "a:\n  x\n  y\n"),
    "a:\r\n\tx\r\n\ty\r\nc\r\n",
    /lines 2-3/,
  ],
  [
    "escapes",
    'a = "x"\n\tb\n',
    change('a = \\"x\\"\\n\\tb', "c\\n"),
    "c\\n\n",
    /in escaped characters in old_text \(new_text was written as given\)/,
  ],
];

test("[E05] [E07] [E08] an old text that differs in a known way and has one place is replaced, and the result says how", async () => {
  const wrong = [];
  for (const [what, before, edit, after, says] of tolerated) {
    const bench = workbench({ f: before });
    const end = await use(tool, { path: "f", ...edit }, bench);
    const isRight = end.outcome === "ok" && bench.text("f") === after && says.test(said(end));
    if (!isRight) wrong.push([what, bench.text("f"), said(end)]);
  }
  assert.deepEqual(wrong, []);
});

const encodings = ["gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "utf16-le", "utf8"] as const;
const samples: Readonly<Record<(typeof encodings)[number], string>> = {
  gbk: "# 统计文件里的行数\nname = '你好'\n",
  big5: "# 統計檔案裡的行數與字數，用於報告\nname = '你好'\n",
  shift_jis: "# ファイルの行数を数えて報告する。\nname = 'こんにちは'\n",
  "euc-jp": "# ファイルの行数を数えて報告する。\nname = 'こんにちは'\n",
  "euc-kr": "# 파일의 줄 수를 세어 보고합니다. 한국어 설명\nname = '안녕'\n",
  "utf16-le": "# Đồng ┌─┐ →\nname = 'x'\n",
  utf8: "# Đồng ┌─┐ → 👩‍💻\nname = 'x'\n",
};

test("[N01] [N02] [N04] in six encodings with LF, CRLF and mark only the edited bytes differ", async () => {
  const wrong = [];
  for (const encoding of encodings) {
    for (const [end, mark] of [
      ["\n", ""],
      ["\r\n", ""],
      ["\r\n", "\ufeff"],
    ] as const) {
      if (mark !== "" && !encoding.startsWith("utf")) continue;
      const bench = workbench();
      const lead = encoding === "utf16-le" ? "\ufeff" : mark;
      const encode = (text: string): Buffer =>
        iconv.encode(lead + text.replaceAll("\n", end), encoding, { addBOM: false });
      bench.file("f", encode(samples[encoding]));
      const result = await use(tool, { path: "f", ...change("name =", "title =\nkind =") }, bench);
      const after = encode(samples[encoding].replace("name =", "title =\nkind ="));
      if (!bench.bytes("f").equals(after))
        wrong.push([encoding, JSON.stringify(end), said(result)]);
    }
  }
  assert.deepEqual(wrong, []);
});

test("[N02] broken bytes elsewhere in a UTF-8 file stay as they are", async () => {
  const bench = workbench();
  const broken = Buffer.concat([Buffer.from("# 注释：统计文件里的行数\n"), Buffer.of(0xff, 0x0a)]);
  bench.file("f", Buffer.concat([broken, Buffer.from("x = 1\n")]));
  await use(tool, { path: "f", ...change("x = 1", "x = 'Đ'") }, bench);
  assert.deepEqual(bench.bytes("f"), Buffer.concat([broken, Buffer.from("x = 'Đ'\n")]));
});

test("[N01] a new character the encoding lacks is refused", async () => {
  const bench = workbench();
  const before = iconv.encode(samples.big5, "big5");
  bench.file("f", before);
  const end = await use(tool, { path: "f", ...change("name", "👍") }, bench);
  assert.match(said(end), /has no character 👍 \(U\+1F44D\)/);
  assert.deepEqual(bench.bytes("f"), before);
});

test("[E13] the exec bit stays", async () => {
  const bench = workbench();
  bench.file("run.sh", "echo a\n", 0o755);
  await use(tool, { path: "run.sh", ...change("a", "b") }, bench);
  assert.equal(statSync(bench.path("run.sh")).mode & 0o777, 0o755);
});

test("[E14] an edit applies to the file as it is now", async () => {
  const bench = workbench({ f: "a\nb\n" });
  bench.file("f", "a\nb\none more\n");
  await use(tool, { path: "f", ...change("a", "A") }, bench);
  assert.equal(bench.text("f"), "A\nb\none more\n");
});

test("R112 a missing file is answered with what is near and with write", async () => {
  const bench = workbench({ "config.py": "" });
  const end = await use(tool, { path: "config.txt", ...change("a", "b") }, bench);
  assert.match(
    said(end),
    /There is no file config.txt; .* Its folder has: config.py. To make a file use write/,
  );
});

test("a file with one line of 5 MB and one of 200,000 lines are edited quickly", async () => {
  const bench = workbench({
    wide: `${"x,".repeat(2_500_000)}KEY${"y".repeat(100)}`,
    long: `${"some line of text\r\n".repeat(200_000)}KEY\r\n`,
  });
  const startMs = performance.now();
  const wide = await use(tool, { path: "wide", ...change("KEY", "key") }, bench);
  const long = await use(tool, { path: "long", ...change("text\nKEY", "text\nkey") }, bench);
  const tookMs = performance.now() - startMs;
  assert.deepEqual([wide.outcome, long.outcome], ["ok", "ok"]);
  assert.ok(tookMs < 30_000, `${tookMs} ms`);
});
