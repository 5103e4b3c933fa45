import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { JsonObject, ToolEnd } from "#core";
import { said, workbench, type Workbench } from "./workbench.ts";

const script = join(import.meta.dirname, "as-nobody.ts");
/** Root may do everything, so these run as somebody else. */
const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Somebody else may not even see this repository, in a home folder of root. */
const canRun =
  spawnSync(process.execPath, ["-e", "require('fs').accessSync(process.argv[1])", script], identity)
    .status === 0;
const skip = canRun ? false : "no other user can read this folder";

function ends(
  calls: readonly (readonly [tool: string, input: JsonObject])[],
  bench: Workbench,
): readonly ToolEnd[] {
  const child = spawnSync(process.execPath, [script], {
    ...identity,
    input: JSON.stringify({ cwd: bench.cwd, calls }),
    encoding: "utf8",
  });
  assert.equal(child.status, 0, child.stderr);
  return JSON.parse(child.stdout);
}

/** A workspace that everybody may write in. */
function shared(files: Readonly<Record<string, string>>): Workbench {
  const bench = workbench(files);
  chmodSync(dirname(bench.cwd), 0o777);
  chmodSync(bench.cwd, 0o777);
  return bench;
}

test(
  "[E13] R38 what the system forbids is an error that says so, and nothing changes",
  { skip },
  () => {
    const bench = shared({ "readonly.txt": "a\n", "secret.txt": "s\n", "locked/f.txt": "a\n" });
    chmodSync(bench.path("readonly.txt"), 0o444);
    chmodSync(bench.path("secret.txt"), 0o000);
    chmodSync(bench.path("locked"), 0o555);
    chmodSync(bench.path("locked/f.txt"), 0o666);
    const change = { old_text: "a", new_text: "b" };
    const got = ends(
      [
        ["read", { path: "secret.txt" }],
        ["edit", { path: "readonly.txt", ...change }],
        ["write", { path: "readonly.txt", content: "b\n" }],
        ["edit", { path: "locked/f.txt", ...change }],
        ["write", { path: "locked/new/x.txt", content: "b\n" }],
      ],
      bench,
    );
    assert.deepEqual(
      got.map(({ outcome, effects }) => [outcome, effects.length]),
      got.map(() => ["error", 0]),
    );
    assert.deepEqual(
      got.filter((end) => !/does not allow it/.test(said(end))),
      [],
    );
    assert.deepEqual(
      [bench.text("readonly.txt"), bench.text("locked/f.txt"), readdirSync(bench.path("locked"))],
      ["a\n", "a\n", ["f.txt"]],
    );
  },
);

test("[G01] folders that may not be read are counted and named", { skip }, () => {
  const bench = shared({ "open/a.txt": "hit\n", "closed/b.txt": "hit\n" });
  chmodSync(bench.path("closed"), 0o700);
  mkdirSync(bench.path("mine"), { mode: 0o755 });
  const got = ends(
    [
      ["grep", { pattern: "hit" }],
      ["glob", { pattern: "**/*.txt" }],
      ["list", { depth: 2 }],
    ],
    bench,
  );
  // The test may be the owner of the folder, who may read it.
  const notes = statSync(bench.path("closed")).uid === process.getuid?.() && !("uid" in identity);
  assert.deepEqual(
    got.map((end) => said(end).includes(notes ? "closed/b.txt" : "no permission")),
    [true, true, true],
  );
});
