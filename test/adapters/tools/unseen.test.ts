import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { JsonObject, ToolEnd } from "#core";
import { builtInTools } from "#adapters/tools";
import { said, use, workbench, type Workbench } from "./workbench.ts";

const call = (name: string, input: JsonObject, bench: Workbench): Promise<ToolEnd> => {
  const tool = builtInTools().find((one) => one.name === name);
  assert.ok(tool);
  return use(tool, input, bench);
};

const five = "1\n2\n3\n4\n5\n";

test("[E14] a write over a file that was not read is refused with what it would change", async () => {
  const bench = workbench({ f: five });
  const end = await call("write", { path: "f", content: "1\n2\n5\n6\n" }, bench);
  assert.equal(end.outcome, "error");
  assert.match(said(end), /^f exists and was not read in this session; it was not overwritten\./);
  assert.match(said(end), /@@ line 3\n-3\n-4\n@@ line 6\n\+6$/);
  assert.equal(bench.text("f"), five);
});

test("[E14] a write over what somebody else changed in other lines keeps both", async () => {
  const bench = workbench({ f: five });
  await call("read", { path: "f" }, bench);
  appendFileSync(bench.path("f"), "theirs\n");
  const end = await call("write", { path: "f", content: "one\n2\n3\n4\n5\n" }, bench);
  assert.equal(bench.text("f"), "one\n2\n3\n4\n5\ntheirs\n");
  assert.match(said(end), /^wrote 19 bytes to f, line 1 \(merged: the file was changed since/);
  assert.match(said(end), /@@ line 6\n\+theirs$/);
});

test("[E14] a write over what somebody else changed in the same lines is refused with the fresh diff", async () => {
  const bench = workbench({ f: five });
  await call("read", { path: "f" }, bench);
  bench.file("f", "1\n2\nthree\n4\n5\n");
  const end = await call("write", { path: "f", content: "1\n2\nIII\n4\n5\n" }, bench);
  assert.equal(end.outcome, "error");
  assert.match(said(end), /changed since you read it, in lines that the write changes too/);
  assert.match(said(end), /@@ line 3\n-3\n\+three$/);
  assert.equal(bench.text("f"), "1\n2\nthree\n4\n5\n");
});

const merges: readonly (readonly [
  what: string,
  base: string,
  theirs: string,
  mine: string,
  merged: string | null,
])[] = [
  ["added before and after", "b\n", "a\n\nb\n", "b\nc\n", "a\n\nb\nc\n"],
  ["added at one place", "b\n", "b\nx\n", "b\ny\n", null],
  ["added far apart", "b\nc\nd\n", "a\nb\nc\nd\n", "b\nc\nd\ne\n", "a\nb\nc\nd\ne\n"],
  ["removed by both", five, "1\n2\n4\n5\n", "1\n2\n4\n5\n", "1\n2\n4\n5\n"],
  ["the same change and one more", five, "1\nx\n3\n4\n5\n", "1\nx\n3\n4\nV\n", "1\nx\n3\n4\nV\n"],
  ["lines next to each other", five, "1\nx\n3\n4\n5\n", "1\n2\ny\n4\n5\n", null],
  ["the final newline goes", five, "x\n2\n3\n4\n5\n", "1\n2\n3\n4\n5", "x\n2\n3\n4\n5"],
  ["all is removed, a line is added", five, `${five}6\n`, "", null],
  ["CRLF stays", "1\r\n2\r\n3\r\n", "1\r\n2\r\n3\r\n4\r\n", "I\n2\n3\n", "I\r\n2\r\n3\r\n4\r\n"],
  ["mark stays", "\ufeff1\n2\n3\n", "\ufeff1\n2\n3\n4\n", "I\n2\n3\n", "\ufeffI\n2\n3\n4\n"],
  ["mixed ends stay", "1\r\n2\n3\n4\n", "1\r\n2\n3\nX\n", "1\nII\n3\n4\n", "1\r\nII\n3\nX\n"],
];

test("[E14] changes that do not touch are merged to the letter, all others refused", async () => {
  const wrong = [];
  for (const [what, base, theirs, mine, merged] of merges) {
    const bench = workbench({ f: base });
    await call("read", { path: "f" }, bench);
    bench.file("f", theirs);
    const end = await call("write", { path: "f", content: mine }, bench);
    const isRight =
      bench.text("f") === (merged ?? theirs) && (end.outcome === "ok") === (merged !== null);
    if (!isRight) wrong.push([what, bench.text("f"), said(end)]);
  }
  assert.deepEqual(wrong, []);
});

test("[E14] what the session itself wrote it may write again, until somebody else changes it", async () => {
  const bench = workbench({ g: "1\n2\n3\n" });
  await call("write", { path: "f", content: five }, bench);
  const again = await call("write", { path: "f", content: "new\n" }, bench);
  await call("read", { path: "g" }, bench);
  await call("edit", { path: "g", old_text: "2", new_text: "two" }, bench);
  const edited = await call("write", { path: "g", content: "1\n2\n3\n4\n" }, bench);
  bench.file("f", "theirs\n");
  const refused = await call("write", { path: "f", content: "mine\n" }, bench);
  assert.deepEqual(
    [again, edited, refused].map(({ outcome }) => outcome),
    ["ok", "ok", "error"],
  );
  assert.equal(bench.text("f"), "theirs\n");
});

test("[E14] an edit of an unread file does not count as having read it", async () => {
  const bench = workbench({ f: five });
  await call("edit", { path: "f", old_text: "2", new_text: "two" }, bench);
  const end = await call("write", { path: "f", content: "x\n" }, bench);
  assert.match(said(end), /was not read in this session/);
});

test("[E14] without the content that was read the write is refused, not merged", async () => {
  const base = `${"a line\n".repeat(50_000)}end\n`;
  const bench = workbench({ f: base });
  await call("read", { path: "f" }, bench);
  appendFileSync(bench.path("f"), "theirs\n");
  const end = await call("write", { path: "f", content: `first\n${base}` }, bench);
  assert.match(said(end), /^f was changed since you read it; it was not overwritten/);
  assert.equal(bench.blobs.size, 0);
});

test("a file with nothing in it may be written without a read, a binary one not", async () => {
  const bench = workbench({ empty: "\n" });
  bench.file("b.bin", Buffer.from([0, 1, 2, 3]));
  const empty = await call("write", { path: "empty", content: "x\n" }, bench);
  const binary = await call("write", { path: "b.bin", content: "x\n" }, bench);
  assert.equal(empty.outcome, "ok");
  assert.match(said(binary), /is a binary file of 4 bytes and was not overwritten/);
});

test("a long diff is cut and says how much is left", async () => {
  const bench = workbench({ f: "x\n".repeat(3000) });
  const end = await call("write", { path: "f", content: "y\n".repeat(3000) }, bench);
  assert.match(said(end), /\[… 5941 more lines of differences\]$/);
  assert.ok(said(end).length < 8000);
});

test("[E14] three processes that edit one file at the same time lose nothing", async () => {
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line}.`);
  const bench = workbench({ f: `${lines.join("\n")}\n` });
  const script = join(import.meta.dirname, "edit-loop.ts");
  const run = promisify(execFile);
  const said_ = await Promise.all(
    ["0", "1", "2"].map((which) => run(process.execPath, [script, dirname(bench.cwd), which])),
  );
  assert.equal(bench.text("f"), lines.map((line) => `${line} done\n`).join(""));
  const refusals = said_.flatMap(({ stdout }): readonly string[] => JSON.parse(stdout));
  assert.deepEqual(
    refusals.filter((refusal) => !/changed by someone else in this moment/.test(refusal)),
    [],
  );
  assert.deepEqual(readdirSync(bench.cwd), ["f"]);
});
