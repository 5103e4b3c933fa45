import assert from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "#core";
import { builtInTools } from "#adapters/tools";
import { said, start, use, workbench, type Workbench } from "./workbench.ts";

const found = builtInTools().find(({ name }) => name === "edit");
assert.ok(found);
const tool = found;

type Tree = Readonly<Record<string, string>>;

/** All files and their texts. */
const treeOf = (bench: Workbench): Tree =>
  Object.fromEntries(
    readdirSync(bench.cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(bench.cwd.length + 1))
      .toSorted()
      .map((name) => [name, bench.text(name)]),
  );

const patched = (...lines: readonly string[]): JsonObject => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n"),
});

const twice = "def a():\n    return 1\ndef b():\n    return 1\n";

const applied: readonly (readonly [
  what: string,
  before: Tree,
  input: JsonObject,
  after: Tree,
  says: RegExp,
])[] = [
  [
    "edits of two files",
    { a: "1\n2\n", b: "1\n" },
    {
      path: "a",
      edits: [
        { old_text: "1", new_text: "one" },
        { path: "b", old_text: "1", new_text: "uno" },
        { old_text: "2", new_text: "two" },
      ],
    },
    { a: "one\ntwo\n", b: "uno\n" },
    /^wrote 8 bytes to a, lines 1-2 \(changed 2 places\)\nwrote 4 bytes to b, line 1/,
  ],
  [
    "a hunk that only adds, below its anchor",
    { a: twice },
    patched("*** Update File: a", "@@ def b():", "+    # b"),
    { a: "def a():\n    return 1\ndef b():\n    # b\n    return 1\n" },
    /line 4/,
  ],
  [
    "a hunk that only adds, at the end",
    { a: "x" },
    patched("*** Update File: a", "@@", "+y", "*** End of File"),
    { a: "x\ny" },
    /line 2/,
  ],
  [
    "context before and after an addition",
    { a: "1\n3\n" },
    patched("*** Update File: a", " 1", "+2", " 3"),
    { a: "1\n2\n3\n" },
    /line 2/,
  ],
  [
    "the place below the anchor",
    { a: `${twice}def c():\n    return 1\n` },
    patched("*** Update File: a", "@@ def b():", "-    return 1", "+    return 2"),
    { a: `${twice.replace(/1\n$/, "2\n")}def c():\n    return 1\n` },
    /line 4/,
  ],
  [
    "the second hunk is below the first",
    { a: "x\ny\nx\ny\n" },
    patched("*** Update File: a", "@@", " x", "-y", "+1", " x", "@@", "-y", "+2"),
    { a: "x\n1\nx\n2\n" },
    /changed 2 places/,
  ],
  [
    "the last lines of a file without an end",
    { a: "1\n2\n3" },
    patched("*** Update File: a", " 1", "-2", "-3"),
    { a: "1" },
    /wrote 1 byte/,
  ],
  [
    "blanks and dashes of context stay as the file has them",
    { a: "x – y  \nold\n" },
    patched("*** Update File: a", " x - y", "-old", "+new"),
    { a: "x – y  \nnew\n" },
    /differed from the file in trailing blanks or typographic characters/,
  ],
  [
    "an empty line of context without its blank",
    { a: "1\n\n2\n" },
    patched("*** Update File: a", " 1", "", "-2", "+3", ""),
    { a: "1\n\n3\n" },
    /line 3/,
  ],
  [
    "numbers of a unified diff",
    { a: "1\n2\n" },
    patched("*** Update File: a", "@@ -1,2 +1,2 @@ f()", " 1", "-2", "+3"),
    { a: "1\n3\n" },
    /line 2/,
  ],
  [
    "a move alone, and an empty new file",
    { a: "1\n" },
    patched("*** Update File: a", "*** Move to: d/b", "*** Add File: e"),
    { "d/b": "1\n", e: "" },
    /^moved a to d\/b \(2 bytes\)\nwrote 0 bytes to e \(new file\)$/,
  ],
  [
    "a file that is deleted",
    { a: "1\n", b: "2\n" },
    patched("*** Delete File: a"),
    { b: "2\n" },
    /^deleted a \(2 bytes\)$/,
  ],
];

test("[E10] R114 edits of several files and patches change what they name, and say what", async () => {
  const wrong = [];
  for (const [what, before, input, after, says] of applied) {
    const bench = workbench(before);
    const end = await use(tool, input, bench);
    const isRight = JSON.stringify(treeOf(bench)) === JSON.stringify(after) && says.test(said(end));
    if (!isRight || end.outcome !== "ok") wrong.push([what, treeOf(bench), said(end)]);
  }
  assert.deepEqual(wrong, []);
});

const refused: readonly (readonly [what: string, before: Tree, input: JsonObject, says: RegExp])[] =
  [
    [
      "one of two files does not fit",
      { a: "1\n", b: "1\n" },
      {
        edits: [
          { path: "a", old_text: "1", new_text: "2" },
          { path: "b", old_text: "7", new_text: "2" },
        ],
      },
      /^No file was changed, because one edit failed. old_text is not in b/,
    ],
    [
      "an edit without a file",
      { a: "1\n" },
      { edits: [{ old_text: "1", new_text: "2" }] },
      /`path` is missing \(here or in each of the edits\)/,
    ],
    [
      "a patch and edits",
      { a: "1\n" },
      { path: "a", ...patched("*** Delete File: a") },
      /give either patch or the other parameters/,
    ],
    [
      "an addition whose anchor is not there",
      { a: "1\n" },
      patched("*** Update File: a", "@@ class X:", "+y"),
      /there is no line `class X:` to find the hunk by/,
    ],
    [
      "an addition without a place",
      { a: "1\n" },
      patched("*** Update File: a", "@@", "+y"),
      /no line of context, so its place is not known/,
    ],
    [
      "context at two places",
      { a: twice },
      patched("*** Update File: a", "@@", "-    return 1", "+    return 2"),
      /fit at 2 places, lines 2, 4. Give more of them, or a line above the place/,
    ],
    [
      "hunks out of order",
      { a: "1\n2\n" },
      patched("*** Update File: a", "@@", "-2", "+b", "@@", "-1", "+a"),
      /hunk 2 of 2.*not there together below the hunk before/,
    ],
    [
      "lines that nearly fit",
      { a: "alpha beta\n" },
      patched("*** Update File: a", "@@", "-alpha betA", "+x"),
      /nearest is line 1: `alpha beta`. At column 10 the file has a/,
    ],
    [
      "a hunk that changes nothing",
      { a: "1\n" },
      patched("*** Update File: a", "@@", " 1"),
      /changes nothing/,
    ],
    [
      "a line without a sign",
      { a: "1\n" },
      patched("*** Update File: a", "@@", "1", "-1"),
      /begins neither with a space nor with \+ or -: `1`/,
    ],
    [
      "an unknown section",
      { a: "1\n" },
      patched("*** Change File: a"),
      /has `\*\*\* Change File: a` where/,
    ],
    [
      "text after a deletion",
      { a: "1\n" },
      patched("*** Delete File: a", "-1"),
      /nothing may follow `\*\*\* Delete File: a`/,
    ],
    [
      "a new file with a line without +",
      {},
      patched("*** Add File: a", "x"),
      /must begin with \+, but `x` does not/,
    ],
    [
      "a file twice",
      { a: "1\n2\n" },
      patched("*** Update File: a", "-1", "+x", "*** Update File: ./a", "-2", "+y"),
      /changes a twice/,
    ],
    [
      "a move over a file",
      { a: "1\n", b: "2\n" },
      patched("*** Update File: a", "*** Move to: b"),
      /b exists already/,
    ],
    [
      "a line that stands for text left out",
      { a: "1\n" },
      patched("*** Update File: a", "-1", "+# ... rest of the code ..."),
      /stands for text left out/,
    ],
    ["a folder", { "d/a": "1\n" }, patched("*** Delete File: d"), /is a folder, not a file/],
    ["a bad path", {}, patched("*** Add File: a\0b", "+x"), /a path of the patch holds a NUL/],
  ];

test("R38 [E10] [E11] a patch or a set of edits that does not fit changes no file", async () => {
  const wrong = [];
  for (const [what, before, input, says] of refused) {
    const bench = workbench(before);
    const end = await use(tool, input, bench);
    const isSame = JSON.stringify(treeOf(bench)) === JSON.stringify(before);
    if (end.outcome !== "error" || !isSame || !says.test(said(end))) wrong.push([what, said(end)]);
  }
  assert.deepEqual(wrong, []);
});

test("permission is asked for every file that a patch touches", async () => {
  const bench = workbench({ a: "1\n", b: "2\n" });
  const input = patched("*** Update File: a", "*** Move to: c/d", "*** Delete File: b");
  const started = await start(tool, input, bench);
  assert.ok(typeof started !== "string");
  assert.deepEqual(started.need, {
    access: "write",
    resources: ["a", "c/d", "b"].map((name) => bench.path(name)),
  });
});

test("a moved file keeps its mode, and what is deleted is reported with its hash", async () => {
  const bench = workbench();
  bench.file("run.sh", "echo\n", 0o755);
  const end = await use(tool, patched("*** Update File: run.sh", "*** Move to: bin/run"), bench);
  assert.equal(statSync(bench.path("bin/run")).mode & 0o777, 0o755);
  assert.deepEqual(
    end.effects.map((effect) => effect.type),
    ["file_written", "file_deleted"],
  );
});

test("a symbolic link is not deleted by way of what it leads to", async () => {
  const bench = workbench({ real: "1\n" });
  bench.link("link", "real");
  const end = await use(tool, patched("*** Delete File: link"), bench);
  assert.match(said(end), /link is a symbolic link; nothing was changed/);
});

test("[E14] when somebody changes the second of two files at the last moment, the first gets its old content back", async () => {
  const bench = workbench({ a: "1\n", b: "1\n" });
  let renames = 0;
  const disturbed = builtInTools({
    crash: (point) => {
      if (point !== "edit.before_rename") return;
      renames += 1;
      if (renames === 2) writeFileSync(bench.path("b"), "theirs\n");
    },
  }).find(({ name }) => name === "edit");
  assert.ok(disturbed);
  const edit = { old_text: "1", new_text: "2" };
  const end = await use(disturbed, { edits: ["a", "b"].map((path) => ({ path, ...edit })) }, bench);
  assert.equal(end.outcome, "error");
  assert.match(said(end), /b was changed by someone else.*were given their old content back/s);
  assert.deepEqual([treeOf(bench), end.effects], [{ a: "1\n", b: "theirs\n" }, []]);
});
