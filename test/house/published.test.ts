import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
