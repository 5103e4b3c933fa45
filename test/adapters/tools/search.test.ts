import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import type { JsonObject } from "#core";
import type { AnyTool } from "#runtime";
import { builtInTools } from "#adapters/tools";
import { said, start, use, workbench, type Workbench } from "./workbench.ts";

/** A tree with everything that searches trip over. */
function tree(): Workbench {
  const bench = workbench({
    "src/a.ts": "const hit = 1;\nplain\nhit again\n",
    "src/b.tsx": "no\n",
    "src/deep/c.ts": "HIT\n",
    ".github/workflows/ci.yml": "run: hit\n",
    "[id]/(group)/{a}.ts": "hit\n",
    "-dash": "hit\n",
    "with space#%.txt": "hit\n",
    "scripts/s.sh": "hit\n",
    ".env": "SECRET=hit\n",
    "node_modules/x/i.js": "hit\n",
    ".gitignore": "node_modules/\nscripts/*\n.env\n",
    ".pawl/worktrees/w1/src/a.ts": "hit\n",
    ".pawl/config.jsonc": "// hit\n",
    ".pawl-tmp-0123456789abcdef": "hit\n",
    "long.txt": `hit${"x".repeat(5000)}\n`,
  });
  execFileSync("git", ["init", "-q"], { cwd: bench.cwd });
  bench.file("bin.dat", Buffer.from("hit\0\nhit\n"));
  bench.link("loop", ".");
  bench.link("link.ts", "src/a.ts");
  execFileSync("sh", ["-c", "printf 'hit\\n' > \"$(printf 'caf\\351.txt')\""], { cwd: bench.cwd });
  execFileSync("sh", ["-c", "printf 'x\\nhit\\ny\\n' > \"$(printf 'new\\nline.txt')\""], {
    cwd: bench.cwd,
  });
  return bench;
}

const ways: readonly (readonly [how: string, tools: readonly AnyTool[]])[] = [
  ["with ripgrep", builtInTools()],
  ["[G08] without ripgrep", builtInTools({ ripgrep: ["no-such-ripgrep-here"] })],
];

const skipped = [
  "[3 paths skipped by ignore rules (.env, node_modules, scripts/s.sh): include_ignored searches them too]",
  "[2 symbolic links not followed: link.ts, loop]",
  "[.pawl/worktrees skipped: copies that belong to other sessions]",
];
const slower =
  "[ripgrep is missing, so the slower built-in search was used, with JavaScript's expressions]";

const globs: readonly (readonly [what: string, input: JsonObject, lines: readonly string[]])[] = [
  [
    "[G01] [G05] [G10] everything, in the order of names, and what was left out",
    { pattern: "**/*" },
    [
      "-dash",
      ".github/workflows/ci.yml",
      ".gitignore",
      ".pawl/config.jsonc",
      "[id]/(group)/{a}.ts",
      "bin.dat",
      "caf\\xE9.txt",
      "long.txt",
      "new\\x0Aline.txt",
      "src/a.ts",
      "src/b.tsx",
      "src/deep/c.ts",
      "with space#%.txt",
      ...skipped,
    ],
  ],
  ["[G02] an explicit dot pattern", { pattern: ".github/**/*.yml" }, [".github/workflows/ci.yml"]],
  ["braces", { pattern: "src/*.{ts,tsx}" }, ["src/a.ts", "src/b.tsx"]],
  ["a path", { pattern: "*.ts", path: "src" }, ["src/a.ts"]],
  ["folders below", { pattern: "src/**/*.ts" }, ["src/a.ts", "src/deep/c.ts"]],
  ["[G04] brackets that are names", { pattern: "[id]/(group)/*.ts" }, ["[id]/(group)/{a}.ts"]],
  ["[G04] all of them names", { pattern: "[id]/(group)/{a}.ts" }, ["[id]/(group)/{a}.ts"]],
  [
    "[G04] names after a wildcard",
    { pattern: "**/(group)/{a}.ts" },
    ["[id]/(group)/{a}.ts", ...skipped],
  ],
  ["[G04] a leading dash", { pattern: "-d*" }, ["-dash", ...skipped]],
  ["[G01] an ignored path named exactly", { pattern: ".env" }, [".env"]],
  [
    "a folder named exactly",
    { pattern: "src" },
    ["src/", "[this is a folder: list shows what is in it]"],
  ],
  [
    "[G01] a pattern in an ignored folder",
    { pattern: "node_modules/**/*.js" },
    ["node_modules/x/i.js"],
  ],
  [
    "[G01] nothing but ignored files",
    { pattern: "scripts/*.sh" },
    [
      "No file matches scripts/*.sh.",
      "[1 path skipped by ignore rules (scripts/s.sh): include_ignored searches them too]",
    ],
  ],
  [
    "[G01] ignored files when asked for",
    { pattern: "scripts/*.sh", include_ignored: true },
    ["scripts/s.sh"],
  ],
  [
    "a bare name pattern",
    { pattern: "c.*" },
    ["No file matches c.*.", "[**/c.* would match 1 file in folders below]", ...skipped],
  ],
  ["names that are no UTF-8", { pattern: "caf*" }, ["caf\\xE9.txt", ...skipped]],
];

const greps: readonly (readonly [what: string, input: JsonObject, lines: readonly string[]])[] = [
  [
    "[G01] [G04] [G05] lines of all files, in order",
    { pattern: "hit" },
    [
      "-dash",
      "1:hit",
      "",
      ".github/workflows/ci.yml",
      "1:run: hit",
      "",
      ".pawl/config.jsonc",
      "1:// hit",
      "",
      "[id]/(group)/{a}.ts",
      "1:hit",
      "",
      "caf\\xE9.txt",
      "1:hit",
      "",
      "long.txt",
      `1:hit${"x".repeat(497)} [... omitted end of long line]`,
      "",
      "new\\x0Aline.txt",
      "2:hit",
      "",
      "src/a.ts",
      "1:const hit = 1;",
      "3:hit again",
      "",
      "with space#%.txt",
      "1:hit",
      "[1 binary file matches too: bin.dat]",
      ...skipped,
    ],
  ],
  [
    "files only",
    { pattern: "hit", mode: "files", glob: "*.ts" },
    ["[id]/(group)/{a}.ts", "src/a.ts", ...skipped],
  ],
  ["counts", { pattern: "hit", mode: "count", path: "src" }, ["src/a.ts: 2"]],
  ["case", { pattern: "hit", path: "src/deep", ignore_case: true }, ["src/deep/c.ts", "1:HIT"]],
  ["one file", { pattern: "again$", path: "src/a.ts" }, ["src/a.ts", "3:hit again"]],
  [
    "[G01] an ignored file named exactly",
    { pattern: "SECRET", path: ".env" },
    [".env", "1:SECRET=hit"],
  ],
  [
    "[G01] ignored files when asked for",
    { pattern: "hit", mode: "files", include_ignored: true, glob: "*.{js,sh,env}" },
    [".env", "node_modules/x/i.js", "scripts/s.sh", ...skipped.slice(1)],
  ],
  [
    "context",
    { pattern: "plain", path: "src/a.ts", context: 1 },
    ["src/a.ts", "1-const hit = 1;", "2:plain", "3-hit again"],
  ],
  ["a path pattern", { pattern: "hit", glob: "src/**", mode: "files" }, ["src/a.ts", ...skipped]],
  [
    "an excluding pattern",
    { pattern: "hit", glob: "!*.ts", path: "src", ignore_case: true },
    ["No match for hit."],
  ],
  [
    "[G04] a pattern that begins with a dash",
    { pattern: "-hit", path: "src" },
    ["No match for -hit."],
  ],
  [
    "[G07] exactly as many as the limit",
    { pattern: "hit", path: "src/a.ts", limit: 2 },
    ["src/a.ts", "1:const hit = 1;", "3:hit again"],
  ],
  [
    "[G07] more than the limit",
    { pattern: "hit", path: "src/a.ts", limit: 1 },
    [
      "src/a.ts",
      "1:const hit = 1;",
      "[the first match is shown, there are more: narrow pattern or path or raise limit (1)]",
    ],
  ],
];

for (const [how, tools] of ways) {
  const [glob, grep] = ["glob", "grep"].map((wanted) => {
    const tool = tools.find(({ name }) => name === wanted);
    assert.ok(tool);
    return tool;
  });
  assert.ok(glob && grep);

  describe(how, () => {
    test(`${how}: glob finds files by name and says what it skipped`, async () => {
      const bench = tree();
      const found = [];
      for (const [what, input] of globs) {
        found.push([what, said(await use(glob, input, bench)).split("\n")]);
      }
      assert.deepEqual(
        found,
        globs.map(([what, , lines]) => [what, lines]),
      );
    });

    test(`${how}: grep finds lines and says what it skipped`, async () => {
      const bench = tree();
      const found = [];
      for (const [what, input] of greps) {
        const lines = said(await use(grep, input, bench)).split("\n");
        found.push([what, lines.filter((line) => line !== slower)]);
      }
      assert.deepEqual(
        found,
        greps.map(([what, , lines]) => [what, lines]),
      );
    });

    test(`${how}: R38 a wrong expression and a wrong path are errors that help`, async () => {
      const bench = tree();
      const wrong = await use(grep, { pattern: "f(" }, bench);
      const lost = await use(grep, { pattern: "x", path: "nope" }, bench);
      assert.deepEqual([wrong.outcome, lost.outcome], ["error", "error"]);
      assert.match(said(wrong), /is no regular expression/);
      assert.match(said(lost), /There is no file nope; nothing was done/);
    });

    test(`${how}: [G07] a huge number of matches ends early, always with the same first ones`, async () => {
      const bench = workbench(
        Object.fromEntries(
          Array.from({ length: 60 }, (_, n) => [`d${n % 7}/f${n}.txt`, "hit\n".repeat(500)]),
        ),
      );
      const answers = new Set<string>();
      for (const _ of [1, 2, 3]) {
        answers.add(said(await use(grep, { pattern: "hit", limit: 600 }, bench)));
      }
      assert.equal(answers.size, 1);
      const [answer = ""] = answers;
      assert.match(answer, /^d0\/f0.txt\n1:hit\n/);
      assert.match(answer, /\n\nd0\/f14.txt\n1:hit\n/);
      assert.match(answer, /\[the first 600 matches are shown, there are more/);
    });

    test(`${how}: a stopped search ends as what stopped it`, async () => {
      const bench = tree();
      const started = await start(grep, { pattern: "hit" }, bench);
      assert.ok(typeof started !== "string");
      const end = await started.run({ signal: AbortSignal.abort("interrupt") });
      assert.equal(end.outcome, "interrupted");
    });

    test(`${how}: R67 a folder that became a link after it was judged is not searched`, async () => {
      const bench = workbench({ "d/a.txt": "hit\n" });
      bench.file("../outside/secret.txt", "hit\n");
      const started = await start(grep, { pattern: "hit", path: "d" }, bench);
      assert.ok(typeof started !== "string");
      renameSync(bench.path("d"), bench.path("e"));
      symlinkSync(join(dirname(bench.cwd), "outside"), bench.path("d"));
      const end = await started.run();
      assert.match(said(end), /is not what permission was given for/);
    });
  });
}

test("[E16] a search in a pipe is refused at once", async () => {
  const bench = workbench();
  execFileSync("sh", ["-c", "mkfifo pipe"], { cwd: bench.cwd });
  const answers = [];
  for (const [name, input] of [
    ["grep", { pattern: "x", path: "pipe" }],
    ["list", { path: "pipe" }],
    ["glob", { pattern: "pipe" }],
  ] as const) {
    const tool = builtInTools().find((one) => one.name === name);
    assert.ok(tool);
    answers.push(said(await use(tool, input, bench)));
  }
  const refusal = /is a named pipe \(FIFO\), not a regular file/;
  assert.deepEqual(
    answers.filter((answer) => !refusal.test(answer)),
    [],
  );
});

test("[G08] ripgrep that vanishes while the session runs is replaced by the built-in search", async () => {
  const bench = workbench({ f: "hit\n" });
  mkdirSync(bench.path("bin"));
  const program = bench.file("bin/rg", "#!/bin/sh\necho './f' | tr '\\n' '\\0'\n", 0o755);
  const grep = builtInTools({ ripgrep: [program] }).find(({ name }) => name === "grep");
  assert.ok(grep);
  const first = await use(grep, { pattern: "hit", mode: "files", path: "f" }, bench);
  renameSync(program, `${program}.gone`);
  const second = await use(grep, { pattern: "hit", mode: "files", path: "f" }, bench);
  assert.deepEqual([said(first), said(second)], ["f", `f\n${slower}`]);
});

test("a hostile expression or name pattern ends with an error, not with a hang", async () => {
  const bench = workbench({ f: `${"a".repeat(200)}b\n`, [`${"a".repeat(200)}x`]: "" });
  const tools = builtInTools({ ripgrep: [] });
  const [glob, grep] = ["glob", "grep"].map((wanted) => tools.find(({ name }) => name === wanted));
  assert.ok(glob && grep);
  const expression = await use(grep, { pattern: "(a+)+$" }, bench);
  const names = await use(glob, { pattern: `${"*a".repeat(40)}y` }, bench);
  assert.match(said(expression), /takes too long to match/);
  assert.match(said(names), /takes too long to match/);
});

test("[X08] a pattern full of braces is bounded", async () => {
  const bench = workbench({ abc: "" });
  const glob = builtInTools().find(({ name }) => name === "glob");
  assert.ok(glob);
  const end = await use(glob, { pattern: "{a,b}{c,d}".repeat(20) }, bench);
  assert.equal(end.outcome, "ok");
});

test("what is judged is the folder a pattern searches, wherever the pattern leads", async () => {
  const bench = workbench({ "src/a.ts": "" });
  const glob = builtInTools().find(({ name }) => name === "glob");
  assert.ok(glob);
  const resources = [];
  for (const pattern of ["src/*.ts", "../*", "/etc/*.conf", "src/a.ts", "**/*"]) {
    const started = await start(glob, { pattern }, bench);
    assert.ok(typeof started !== "string");
    resources.push(...started.need.resources);
  }
  assert.deepEqual(resources, [
    bench.path("src"),
    dirname(bench.cwd),
    "/etc",
    bench.path("src/a.ts"),
    bench.cwd,
  ]);
});
