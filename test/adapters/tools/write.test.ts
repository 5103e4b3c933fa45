import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import iconv from "iconv-lite";
import { builtInTools } from "#adapters/tools";
import type { ToolEnd } from "#core";
import type { AnyTool } from "#runtime";
import { said, sha256, start, use, workbench, type Workbench } from "./workbench.ts";

const named = (wanted: string): AnyTool => {
  const found = builtInTools().find(({ name }) => name === wanted);
  assert.ok(found);
  return found;
};
const tool = named("write");

/** What the model does before it writes over a file. */
const read = (path: string, bench: Workbench): Promise<ToolEnd> =>
  use(named("read"), { path }, bench);

const reports: readonly (readonly [content: string, says: string])[] = [
  ["a\nb\n", "wrote 4 bytes to f, lines 1-2 (new file)"],
  ["你好\n", "wrote 7 bytes to f, line 1 (new file)"],
  ["a\nb", "wrote 3 bytes to f, lines 1-2 (new file)"],
  ["", "wrote 0 bytes to f (new file, empty)"],
  ["\n", "wrote 1 byte to f, line 1 (new file)"],
];

test("[E20] R114 a write says bytes, path and lines", async () => {
  const said_ = [];
  for (const [content] of reports) {
    const bench = workbench();
    said_.push([content, said(await use(tool, { path: "f", content }, bench))]);
    assert.equal(bench.text("f"), content);
  }
  assert.deepEqual(said_, reports);
});

test("R114 the effect report carries path, bytes, lines and both hashes", async () => {
  const bench = workbench();
  const end = await use(tool, { path: "x/y.txt", content: "a\nb\n" }, bench);
  assert.deepEqual(end.effects, [
    {
      type: "file_written",
      path: bench.path("x/y.txt"),
      bytes: 4,
      lines: [1, 2],
      before: null,
      after: sha256("a\nb\n"),
    },
  ]);
});

const kept: readonly (readonly [what: string, before: Buffer, content: string, after: Buffer])[] = [
  ["CRLF", Buffer.from("a\r\nb\r\n"), "x\ny\n", Buffer.from("x\r\ny\r\n")],
  ["CRLF, given with CRLF", Buffer.from("a\r\n"), "x\r\ny\n", Buffer.from("x\r\ny\n")],
  ["mixed ends are no style", Buffer.from("a\r\nb\n"), "x\ny\n", Buffer.from("x\ny\n")],
  ["mark", Buffer.from("\ufeffa\n"), "x\n", Buffer.from("\ufeffx\n")],
  ["mark, given with it", Buffer.from("\ufeffa\n"), "\ufeffx\n", Buffer.from("\ufeffx\n")],
  ["GBK", iconv.encode("注释内容\n", "gbk"), "新的注释\n", iconv.encode("新的注释\n", "gbk")],
  ["UTF-16", Buffer.from("\ufeffa\r\n", "utf16le"), "é\n", Buffer.from("\ufeffé\r\n", "utf16le")],
];

test("[E01] [N01] a file of clear style keeps line ends, mark and encoding when it is rewritten", async () => {
  const after = [];
  for (const [what, before, content] of kept) {
    const bench = workbench();
    bench.file("f", before);
    await read("f", bench);
    const end = await use(tool, { path: "f", content }, bench);
    assert.equal(end.outcome, "ok", what);
    after.push([what, before, content, bench.bytes("f")]);
  }
  assert.deepEqual(after, kept);
});

test("[N01] a character that the file's encoding lacks is refused with the reason", async () => {
  const bench = workbench();
  const before = iconv.encode("統計檔案裡的行數與字數，用於報告。\n", "big5");
  bench.file("f", before);
  const end = await use(tool, { path: "f", content: "好👍\n" }, bench);
  assert.equal(end.outcome, "error");
  assert.match(
    said(end),
    /The file is big5, which has no character 👍 \(U\+1F44D\); nothing was changed/,
  );
  assert.deepEqual(bench.bytes("f"), before);
});

test("[E08] [E23] content is written as it is given", async () => {
  const bench = workbench();
  const content = "'\\0' \\' \\n $& $1 $$ \\u4f60 &amp; </parameter>\n<<<<<<< HEAD\n=======\n";
  await use(tool, { path: "f.c", content }, bench);
  assert.equal(bench.text("f.c"), content);
});

test("[E13] a link stays a link and its target is written", async () => {
  const bench = workbench({ "real.txt": "old" });
  bench.link("link.txt", "real.txt");
  bench.link("new-link.txt", "made/later.txt");
  await read("real.txt", bench);
  await use(tool, { path: "link.txt", content: "new" }, bench);
  await use(tool, { path: "new-link.txt", content: "later" }, bench);
  assert.deepEqual([bench.text("real.txt"), bench.text("made/later.txt")], ["new", "later"]);
  assert.deepEqual(
    readdirSync(bench.cwd, { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isSymbolicLink(),
    ]),
    [
      ["link.txt", true],
      ["made", false],
      ["new-link.txt", true],
      ["real.txt", false],
    ],
  );
});

test("a placeholder for text left out does not replace the text", async () => {
  const bench = workbench({ "a.js": "let a = 1;\nlet b = 2;\n" });
  const content = "let a = 3;\n// ... rest of the code unchanged ...\n";
  const end = await use(tool, { path: "a.js", content }, bench);
  assert.match(said(end), /stands for text left out; nothing was changed/);
  assert.equal(bench.text("a.js"), "let a = 1;\nlet b = 2;\n");
});

test("a file changed between planning and writing is not overwritten", async () => {
  const bench = workbench({ f: "old" });
  await read("f", bench);
  const started = await start(tool, { path: "f", content: "new" }, bench);
  assert.ok(typeof started !== "string");
  bench.file("f", "theirs");
  const end = await started.run();
  assert.equal(end.outcome, "error");
  assert.match(
    said(end),
    /was changed since you read it, in lines that the write changes too; it was not overwritten/,
  );
  assert.equal(bench.text("f"), "theirs");
});

test("[M07] R67 a folder that became a link after it was judged is not written through", async () => {
  const bench = workbench({ "d/a.txt": "a" });
  const outside = join(dirname(bench.cwd), "outside");
  mkdirSync(outside);
  const started = await start(tool, { path: "d/new.txt", content: "x" }, bench);
  assert.ok(typeof started !== "string");
  rmSync(bench.path("d"), { recursive: true });
  symlinkSync(outside, bench.path("d"));
  const end = await started.run();
  assert.match(said(end), /is not what permission was given for/);
  assert.deepEqual(readdirSync(outside), []);
});

test("an interrupted write has written nothing", async () => {
  const bench = workbench();
  const started = await start(tool, { path: "f", content: "x" }, bench);
  assert.ok(typeof started !== "string");
  const end = await started.run({ signal: AbortSignal.abort("interrupt") });
  assert.deepEqual([end.outcome, readdirSync(bench.cwd)], ["interrupted", []]);
});

test("R38 what cannot be written is an error with the reason", async () => {
  const bench = workbench({ p: "file" });
  mkdirSync(bench.path("d"));
  const answers = [];
  for (const path of ["d", "d/", "p/q", "/proc/nope/x"]) {
    const end = await use(tool, { path, content: "x" }, bench);
    answers.push([path, end.outcome, end.effects.length]);
  }
  assert.deepEqual(
    answers,
    ["d", "d/", "p/q", "/proc/nope/x"].map((path) => [path, "error", 0]),
  );
});
