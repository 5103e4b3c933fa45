import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import iconv from "iconv-lite";
import { builtInTools } from "#adapters/tools";
import { said, use, workbench } from "./workbench.ts";

const found = builtInTools().find(({ name }) => name === "edit");
assert.ok(found);
const tool = found;

const piece = fc.constantFrom(
  "a",
  "b",
  " ",
  "\t",
  "x = 1",
  "你好",
  "统计文件里的行数",
  "é",
  "\u00a0",
  "😀",
  "“q”",
  "\n",
  "\r\n",
  "\n\n",
  "\r",
  "$&",
  "\\n",
);

/** A text of pieces; the edit replaces some of them in the middle. */
const cases = fc.record({
  before: fc.array(piece, { maxLength: 12 }),
  old: fc.array(piece, { minLength: 1, maxLength: 6 }),
  after: fc.array(piece, { maxLength: 12 }),
  text: fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
  encoding: fc.constantFrom("utf8", "utf8 bom", "gb18030", "utf16le bom", "utf8 broken"),
});

function encoded(text: string, encoding: string): Buffer {
  if (encoding === "gb18030") return iconv.encode(text, "gb18030");
  return encoding.startsWith("utf16") ? Buffer.from(text, "utf16le") : Buffer.from(text, "utf8");
}

/** Bytes before and after the text proper. */
function around(encoding: string): readonly [Buffer, Buffer] {
  const nothing = Buffer.alloc(0);
  if (encoding === "utf8 bom") return [Buffer.of(0xef, 0xbb, 0xbf), nothing];
  if (encoding === "utf16le bom") return [Buffer.of(0xff, 0xfe), nothing];
  if (encoding !== "utf8 broken") return [nothing, nothing];
  return [Buffer.from("注释：统计文件\n"), Buffer.of(0xff, 0xc3, 0x0a)];
}

test("[E02] [N02] [N04] whatever the file and the edit, bytes outside the edit never change", async () => {
  const bench = workbench();
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ before, old, after, text, encoding }) => {
      const [head, tail] = around(encoding);
      const parts = [before, old, after].map((pieces) => pieces.join(""));
      // A CRLF is one line end: an edit takes all of it or nothing.
      fc.pre(parts.join("").split("\r\n").length === parts.join("|").split("\r\n").length);
      const prefix = Buffer.concat([head, encoded(parts[0] ?? "", encoding)]);
      const suffix = Buffer.concat([encoded(parts[2] ?? "", encoding), tail]);
      const bytes = Buffer.concat([prefix, encoded(parts[1] ?? "", encoding), suffix]);
      bench.file("f", bytes);
      const end = await use(tool, { path: "f", old_text: parts[1] ?? "", new_text: text }, bench);
      const now = bench.bytes("f");
      if (end.outcome !== "ok") {
        assert.ok(now.equals(bytes), said(end));
        return;
      }
      applied += 1;
      assert.ok(now.length >= prefix.length + suffix.length, "too short");
      assert.ok(now.subarray(0, prefix.length).equals(prefix), "the bytes before changed");
      assert.ok(now.subarray(now.length - suffix.length).equals(suffix), "the bytes after changed");
    }),
    { numRuns: 200 },
  );
  assert.ok(applied > 50, `only ${applied} edits were applied`);
});
