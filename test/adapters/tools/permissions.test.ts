import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { endsOfNobody } from "./nobody.ts";
import { said, workbench } from "./workbench.ts";

test("[E13] R38 what the system forbids is an error that says so, and nothing changes", () => {
  const bench = workbench({ "readonly.txt": "a\n", "secret.txt": "s\n", "locked/f.txt": "a\n" });
  chmodSync(bench.path("readonly.txt"), 0o444);
  chmodSync(bench.path("secret.txt"), 0o000);
  chmodSync(bench.path("locked"), 0o555);
  chmodSync(bench.path("locked/f.txt"), 0o666);
  const change = { old_text: "a", new_text: "b" };
  const [seen, ...got] = endsOfNobody(
    [
      ["read", { path: "readonly.txt" }],
      ["read", { path: "secret.txt" }],
      ["edit", { path: "readonly.txt", ...change }],
      ["write", { path: "readonly.txt", content: "b\n" }],
      ["edit", { path: "locked/f.txt", ...change }],
      ["write", { path: "locked/new/x.txt", content: "b\n" }],
    ],
    bench,
  );
  assert.equal(seen?.outcome, "ok");
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
});

test("[G01] folders that may not be read are counted and named", () => {
  const bench = workbench({ "open/a.txt": "hit\n", "closed/b.txt": "hit\n" });
  chmodSync(bench.path("closed"), 0o700);
  mkdirSync(bench.path("mine"), { mode: 0o755 });
  const got = endsOfNobody(
    [
      ["grep", { pattern: "hit" }],
      ["glob", { pattern: "**/*.txt" }],
      ["list", { depth: 2 }],
    ],
    bench,
  );
  // Who is not root is the owner of the folder, who may read it.
  const notes = process.getuid?.() !== 0;
  assert.deepEqual(
    got.map((end) => said(end).includes(notes ? "closed/b.txt" : "no permission")),
    [true, true, true],
  );
});
