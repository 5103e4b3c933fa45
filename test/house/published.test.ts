import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { readPackageJson, ROOT } from "../../scripts/package-json.ts";

// `npm test` builds dist/ first.
const DIST = join(ROOT, "dist");
const published = JSON.parse(readFileSync(join(DIST, "package.json"), "utf8")) as {
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  exports: Record<string, { types: string; default: string } | string>;
};
const entries = Object.entries(published.exports).flatMap(([subpath, target]) =>
  typeof target === "string" ? [] : [{ name: `pawl${subpath.slice(1)}`, ...target }],
);

test("the published package brings ripgrep, a decoder of images and nothing else", () => {
  const { version, dependencies } = readPackageJson();
  assert.deepEqual(published.version, version);
  assert.deepEqual(published.optionalDependencies, undefined);
  const names = ["@vscode/ripgrep", "@silvia-odwyer/photon-node"];
  assert.deepEqual(
    published.dependencies,
    Object.fromEntries(names.map((name) => [name, dependencies[name]])),
  );
});

test("each published entry can be imported", async () => {
  assert.ok(entries.length > 0);
  for (const entry of entries) {
    const names = Object.keys(
      (await import(pathToFileURL(join(DIST, entry.default)).href)) as object,
    );
    assert.ok(names.length > 0, `${entry.name} exports nothing`);
  }
});

/** Loaded first, it makes this Node look old. */
const LOOK_OLD = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } });`;

/** Nodes of this machine that really are too old, tried beside the pretended one. */
const oldNodes = (process.env["PATH"] ?? "").split(delimiter).flatMap((folder) => {
  const file = join(folder, "node");
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return /^v(?:1\d|20)\./.test(stdout ?? "") ? [file] : [];
});

test("an import on an old Node ends with one sentence that says what is needed, not with a SyntaxError", () => {
  const nodes = [...new Set(oldNodes)].map((file) => ({ file, args: [] as string[] }));
  const pretended = ["--import", `data:text/javascript,${encodeURIComponent(LOOK_OLD)}`];
  const urls = entries.map((entry) => pathToFileURL(join(DIST, entry.default)).href);
  const code = `for (const url of ${JSON.stringify(urls)}) {
    import(url).then(() => console.log("imported"), (e) => console.log(e.code, e.message));
  }`;
  for (const { file, args } of [{ file: process.execPath, args: pretended }, ...nodes]) {
    const { stdout } = spawnSync(file, [...args, "-e", code], { encoding: "utf8" });
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.length, entries.length);
    for (const line of lines) {
      assert.match(line, /^node_too_old Pawl needs Node 22\.19 or newer, this is v\d+\./);
    }
  }
});

test("the library is written in a language that an old Node can read as far as that sentence", () => {
  const files = globSync("lib/**/*.js", { cwd: DIST });
  assert.ok(files.length > entries.length);
  for (const file of files) {
    assert.doesNotMatch(
      readFileSync(join(DIST, file), "utf8"),
      /\b(?:await )?using [\w$]+ =/,
      file,
    );
  }
});

test("each published entry has types that need no other package", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-user-"));
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(DIST, join(folder, "node_modules/pawl"));
  const imports = entries.map(({ name }, index) => `import * as entry${index} from "${name}";`);
  const uses = entries.map((_, index) => `void entry${index};`);
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  writeFileSync(join(folder, "user.ts"), [...imports, ...uses].join("\n"));
  const options = "--noEmit --strict --module nodenext --target es2024 --preserveSymlinks";
  const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
  execFileSync(join(ROOT, "node_modules/.bin/tsc"), [...options.split(" "), ...types, "user.ts"], {
    cwd: folder,
    stdio: "inherit",
  });
  rmSync(folder, { recursive: true });
});
