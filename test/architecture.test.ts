import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT, readPackageJson } from "../scripts/package-json.ts";
import { checkArchitecture } from "../scripts/architecture/rules.ts";
import { readSourceFile } from "../scripts/architecture/source-file.ts";

/** Raise it as the tree grows: a check that saw fewer files has looked in the wrong place. */
const FEWEST_FILES = 300;
const { imports: IMPORT_MAP } = readPackageJson();

test("every source file keeps the layers, sizes and names of the design", () => {
  const paths = globSync("src/**/*.ts", { cwd: ROOT }).toSorted();
  const files = paths.map((path) => readSourceFile(path, readFileSync(join(ROOT, path), "utf8")));
  assert.deepEqual(checkArchitecture(files, IMPORT_MAP), []);
});

test("the architecture check sees every source file that git knows", () => {
  const git = (...options: string[]): string[] =>
    execFileSync("git", ["ls-files", ...options, "src/*.ts"], { cwd: ROOT, encoding: "utf8" })
      .split("\n")
      .filter(Boolean);
  const deleted = new Set(git("--deleted"));
  const tracked = git().filter((path) => !deleted.has(path));
  const seen = new Set(globSync("src/**/*.ts", { cwd: ROOT }));
  assert.deepEqual(
    tracked.filter((path) => !seen.has(path)),
    [],
  );
  assert.ok(seen.size >= FEWEST_FILES, `saw only ${seen.size} files`);
});

const check = (tree: Record<string, string>): string[] =>
  checkArchitecture(
    Object.entries(tree).map(([path, text]) => readSourceFile(path, text)),
    IMPORT_MAP,
  );
const lines = (count: number): string => "export const a = 1;\n".repeat(count);

test("a good tree has no problems", () => {
  const problems = check({
    "src/core/index.ts": `export { state } from "./state.ts";`,
    "src/core/state.ts": `export const state = 1;`,
    "src/runtime/index.ts": `import type { state } from "#core"; export type S = typeof state;`,
    "src/adapters/models/shared/sse.ts": `import "eventsource-parser";`,
    "src/adapters/models/anthropic/index.ts": `import "../shared/sse.ts"; import "node:fs";`,
    "src/adapters/workspace/index.ts": `import "#runtime";`,
    "src/adapters/tools/read/index.ts": `import "../../workspace/index.ts";`,
    "src/adapters/tools/index.ts": `import "./read/index.ts";`,
    "src/app/compose.ts": `import "#adapters/models/anthropic"; import "#adapters/tools";`,
    "src/ui/index.ts": `import "../ui/print.ts";`,
    "src/ui/print.ts": `import "#core";`,
    "src/bin/pawl.ts": `await import("#ui");`,
  });
  assert.deepEqual(problems, []);
});

const BAD: readonly (readonly [rule: string, tree: Record<string, string>, problem: string])[] = [
  [
    "an import that points left",
    { "src/core/a.ts": `import "#ui";`, "src/ui/index.ts": "" },
    'src/core/a.ts: core must not import ui ("#ui")',
  ],
  [
    "an import that points left, only of a type",
    { "src/core/a.ts": `type A = import("#ui").A;`, "src/ui/index.ts": "" },
    'src/core/a.ts: core must not import ui ("#ui")',
  ],
  [
    "another layer by a relative path",
    { "src/ui/a.ts": `import "../core/index.ts";`, "src/core/index.ts": "" },
    'src/ui/a.ts: "../core/index.ts" is another layer; use #core',
  ],
  [
    "its own layer by name",
    { "src/core/a.ts": `import "#core";`, "src/core/index.ts": "" },
    'src/core/a.ts: "#core" is its own layer; use a relative path',
  ],
  [
    "a cycle",
    { "src/core/a.ts": `import "./b.ts";`, "src/core/b.ts": `import "./a.ts";` },
    "import cycle: src/core/a.ts → src/core/b.ts → src/core/a.ts",
  ],
  [
    "a cycle of types",
    {
      "src/core/a.ts": `import type { B } from "./b.ts"; export type A = B;`,
      "src/core/b.ts": `export type B = import("./a.ts").A;`,
    },
    "import cycle: src/core/a.ts → src/core/b.ts → src/core/a.ts",
  ],
  [
    "a sibling adapter",
    {
      "src/adapters/models/gemini/a.ts": `import "../anthropic/wire.ts";`,
      "src/adapters/models/anthropic/wire.ts": "",
    },
    'src/adapters/models/gemini/a.ts: imports its sibling "../anthropic/wire.ts"',
  ],
  [
    "a sibling adapter of another group",
    {
      "src/adapters/models/gemini/a.ts": `import "../../tools/index.ts";`,
      "src/adapters/tools/index.ts": "",
    },
    'src/adapters/models/gemini/a.ts: imports its sibling "../../tools/index.ts"',
  ],
  ["a package in core", { "src/core/a.ts": `import "zod";` }, 'src/core/a.ts: core imports "zod"'],
  [
    "a package in runtime",
    { "src/runtime/a.ts": `import "zod";` },
    'src/runtime/a.ts: runtime imports "zod"',
  ],
  [
    "a module of Node in core",
    { "src/core/a.ts": `import "node:fs";` },
    'src/core/a.ts: core imports "node:fs"',
  ],
  [
    "a start-up file that is not lazy",
    { "src/bin/pawl.ts": `import "#ui";`, "src/ui/index.ts": "" },
    'src/bin/pawl.ts: "#ui" must be imported lazily',
  ],
  [
    "a missing file",
    { "src/core/a.ts": `import "./gone.ts";` },
    'src/core/a.ts: "./gone.ts" is not there',
  ],
  [
    "a missing layer entry",
    { "src/app/a.ts": `import "#adapters/models/gone";` },
    'src/app/a.ts: "#adapters/models/gone" is not there',
  ],
  [
    "an import computed at run time",
    { "src/app/a.ts": "await import(`./${1}.ts`);" },
    "src/app/a.ts: imports a computed name",
  ],
  [
    "a re-export of everything",
    { "src/core/index.ts": `export * from "./a.ts";`, "src/core/a.ts": "" },
    'src/core/index.ts: passes on all of "./a.ts"; name what it exports',
  ],
  [
    "a default export",
    { "src/core/a.ts": "export default 1;" },
    "src/core/a.ts: has a default export",
  ],
  ["a file outside the layers", { "src/a.ts": "" }, "src/a.ts: is in no layer"],
  [
    "a name without an idea",
    { "src/core/string-utils.ts": "" },
    'src/core/string-utils.ts: "string-utils" names no idea; name it after what is in it',
  ],
  [
    "a long file without a reason",
    { "src/core/a.ts": lines(251) },
    "src/core/a.ts: has 251 lines; above 250 the first line says why",
  ],
  [
    "a file too long for any reason",
    { "src/core/a.ts": `// One table.\n${lines(400)}` },
    "src/core/a.ts: has 401 lines, more than 400",
  ],
];

for (const [rule, tree, problem] of BAD) {
  test(`the architecture check finds ${rule}`, () => {
    assert.deepEqual(check(tree), [problem]);
  });
}
