import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#core";
import { builtInTools } from "#adapters/tools";
import { said, use, workbench, type Workbench } from "./workbench.ts";

const found = builtInTools().find(({ name }) => name === "list");
assert.ok(found);
const tool = found;

function tree(): Workbench {
  const bench = workbench({
    "src/a.ts": "12345",
    "src/deep/b.ts": "",
    "node_modules/x/i.js": "x",
    ".gitignore": "node_modules/\n*.log\n",
    "a.log": "",
    ".git/HEAD": "ref: x\n",
    ".pawl/worktrees/w1/a.ts": "",
  });
  bench.link("loop", ".");
  return bench;
}

const rows: readonly (readonly [input: JsonObject, lines: readonly string[]])[] = [
  [
    {},
    [
      ".git/",
      ".gitignore (20 bytes)",
      ".pawl/",
      "a.log (0 bytes) (ignored)",
      "loop -> .",
      "node_modules/ (ignored)",
      "src/",
    ],
  ],
  [{ path: "src", depth: 2 }, ["a.ts (5 bytes)", "deep/", "deep/b.ts (0 bytes)"]],
  [{ path: "node_modules", depth: 2 }, ["x/", "x/i.js (1 byte)"]],
  [{ path: ".pawl", depth: 5 }, ["worktrees/", "worktrees/w1/", "worktrees/w1/a.ts (0 bytes)"]],
  [
    { depth: 3 },
    [
      ".git/",
      ".gitignore (20 bytes)",
      ".pawl/",
      ".pawl/worktrees/ (copies of other sessions)",
      "a.log (0 bytes) (ignored)",
      "loop -> .",
      "node_modules/ (ignored)",
      "src/",
      "src/a.ts (5 bytes)",
      "src/deep/",
      "src/deep/b.ts (0 bytes)",
    ],
  ],
];

test("R108 [G05] [G10] list names everything once and enters what is not ignored", async () => {
  const bench = tree();
  const answers = [];
  for (const [input] of rows) {
    answers.push([input, said(await use(tool, input, bench)).split("\n")]);
  }
  assert.deepEqual(answers, rows);
});

test("an empty folder is said to be empty, a file and nothing are errors", async () => {
  const bench = workbench({ "empty/x/y": "", f: "" });
  const empty = await use(tool, { path: "empty/x/y/.." }, bench);
  assert.equal(said(empty), "y (0 bytes)");
  const file = await use(tool, { path: "f" }, bench);
  assert.deepEqual(
    [file.outcome, said(file)],
    ["error", "f is a file, not a folder. Use read to see it."],
  );
  const lost = await use(tool, { path: "nope" }, bench);
  assert.equal(lost.outcome, "error");
});

test("a folder with too much in it shows the first entries and says how many more there are", async () => {
  const bench = workbench(
    Object.fromEntries(
      Array.from({ length: 1003 }, (_, n) => [`f${String(n).padStart(4, "0")}`, ""]),
    ),
  );
  const lines = said(await use(tool, {}, bench)).split("\n");
  assert.equal(lines.length, 1001);
  assert.equal(lines.at(-1), "[3 more entries not shown: list a folder below, or use glob]");
});
