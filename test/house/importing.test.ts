import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../../scripts/package-json.ts";

/** Imports every module given on stdin, then says which globals and variables are new. */
const IMPORT_ALL = `
  const before = JSON.stringify([Object.getOwnPropertyNames(globalThis), process.env]);
  let names = "";
  for await (const chunk of process.stdin) names += chunk;
  for (const name of names.split("\\n")) await import(name);
  const after = JSON.stringify([Object.getOwnPropertyNames(globalThis), process.env]);
  if (before !== after) console.log("globals or environment changed");
`;

test("importing a module writes nothing, starts nothing, prints nothing and sets no global", () => {
  const modules = globSync("src/**/*.ts", { cwd: ROOT }).filter(
    (path) => !path.startsWith("src/bin/"),
  );
  assert.ok(modules.length > 0);
  // Node's permission model makes every write, child process and worker throw. A timer or socket
  // left behind keeps the process alive until the time limit ends it.
  const output = execFileSync(
    process.execPath,
    ["--permission", "--allow-fs-read=*", "--input-type=module", "--eval", IMPORT_ALL],
    {
      cwd: ROOT,
      input: modules.map((path) => join(ROOT, path)).join("\n"),
      encoding: "utf8",
      timeout: 20_000,
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  assert.equal(output, "");
});
