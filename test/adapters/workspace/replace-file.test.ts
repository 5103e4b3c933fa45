import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isTrouble, openRegular, replaceFile, type Replacement } from "#adapters/workspace";
import { workbench, type Workbench } from "../tools/workbench.ts";

const replacement = (
  bench: Workbench,
  name: string,
  more: Partial<Replacement> = {},
): Replacement => ({
  path: bench.path(name),
  bytes: Buffer.from("new"),
  before: null,
  temporary: ".pawl-tmp-test",
  signal: new AbortController().signal,
  crash: () => {},
  ...more,
});

test("[E13] a new file gets its mode from the umask, with the folders above it", async () => {
  const bench = workbench();
  const mask = process.umask(0o027);
  try {
    assert.deepEqual(await replaceFile(replacement(bench, "a/b/c.txt")), []);
  } finally {
    process.umask(mask);
  }
  assert.equal(statSync(bench.path("a/b/c.txt")).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(bench.path("a/b")), ["c.txt"]);
});

test("[E13] mode and owner of a replaced file stay", async () => {
  const bench = workbench();
  bench.file("run.sh", "old", 0o751);
  const before = statSync(bench.path("run.sh"));
  await replaceFile(replacement(bench, "run.sh", { before }));
  const now = statSync(bench.path("run.sh"));
  assert.deepEqual(
    [now.mode, now.uid, now.gid, bench.text("run.sh")],
    [before.mode, before.uid, before.gid, "new"],
  );
});

test("[E13] other names of a hard-linked file keep the old content, and it is said", async () => {
  const bench = workbench({ one: "old" });
  linkSync(bench.path("one"), bench.path("two"));
  const notes = await replaceFile(
    replacement(bench, "one", { before: statSync(bench.path("one")) }),
  );
  assert.deepEqual(notes, ["it had 2 hard links: the other name keeps the old content"]);
  assert.deepEqual([bench.text("one"), bench.text("two")], ["new", "old"]);
});

test("a leftover temporary file of the same call is written anew", async () => {
  const bench = workbench({ ".pawl-tmp-test": "torn" });
  chmodSync(bench.path(".pawl-tmp-test"), 0o400);
  await replaceFile(replacement(bench, "a.txt"));
  assert.deepEqual(readdirSync(bench.cwd), ["a.txt"]);
});

test("a file that appears or changes at the last moment is not overwritten", async () => {
  const bench = workbench({ "old.txt": "old" });
  const appeared = await replaceFile(
    replacement(bench, "a.txt", {
      crash: (point) => point === "before_rename" && writeFileSync(bench.path("a.txt"), "theirs"),
    }),
  );
  const changed = await replaceFile(
    replacement(bench, "old.txt", {
      before: statSync(bench.path("old.txt")),
      crash: (point) => point === "after_temp" && writeFileSync(bench.path("old.txt"), "theirs"),
    }),
  );
  assert.deepEqual(
    [appeared, changed].map((end) => isTrouble(end) && end.code),
    ["changed", "changed"],
  );
  assert.deepEqual([bench.text("a.txt"), bench.text("old.txt")], ["theirs", "theirs"]);
  assert.deepEqual(readdirSync(bench.cwd), ["a.txt", "old.txt"]);
});

test("a stop before the rename leaves everything as it was", async () => {
  const bench = workbench();
  const stop = new AbortController();
  const end = await replaceFile(
    replacement(bench, "a.txt", {
      signal: stop.signal,
      crash: (point) => point === "after_temp" && stop.abort("interrupt"),
    }),
  );
  assert.equal(isTrouble(end) && end.code, "stopped");
  assert.deepEqual(readdirSync(bench.cwd), []);
});

test("[R67] a parent that becomes a link while the file is written leads nowhere else", async () => {
  const bench = workbench({ "d/keep.txt": "k" });
  const outside = join(dirname(bench.cwd), "outside");
  mkdirSync(outside);
  await replaceFile(
    replacement(bench, "d/a.txt", {
      crash: (point) => {
        if (point !== "before_temp") return;
        renameSync(bench.path("d"), bench.path("moved"));
        symlinkSync(outside, bench.path("d"));
      },
    }),
  );
  assert.deepEqual(readdirSync(outside), []);
  assert.equal(bench.text("moved/a.txt"), "new");
});

test("[R67] a link in the place of the judged folder is an error", async () => {
  const bench = workbench();
  const outside = join(dirname(bench.cwd), "outside");
  mkdirSync(outside);
  bench.link("d", outside);
  const end = await replaceFile(replacement(bench, "d/a.txt"));
  assert.ok(isTrouble(end));
  assert.deepEqual(readdirSync(outside), []);
  assert.ok(lstatSync(bench.path("d")).isSymbolicLink());
});

const special: readonly (readonly [name: string, make: (path: string) => void, code: string])[] = [
  ["a named pipe", (path) => execFileSync("sh", ["-c", 'mkfifo "$0"', path]), "not_regular_file"],
  ["a folder", (path) => mkdirSync(path), "is_directory"],
  ["a link", (path) => symlinkSync("elsewhere", path), "moved"],
  ["nothing", () => {}, "file_not_found"],
];

test("[E16] only regular files are opened, and nothing waits", async () => {
  const bench = workbench();
  const found = [];
  for (const [name, make] of special) {
    make(bench.path(name));
    const file = await openRegular(bench.path(name));
    found.push([name, isTrouble(file) ? file.code : "opened"]);
  }
  const device = await openRegular("/dev/zero");
  found.push(["/dev/zero", isTrouble(device) ? device.code : "opened"]);
  assert.deepEqual(found, [
    ...special.map(([name, , code]) => [name, code]),
    ["/dev/zero", "not_regular_file"],
  ]);
});

test("a folder that vanished is made again, one that is a file is trouble", async () => {
  const bench = workbench({ p: "file" });
  mkdirSync(bench.path("gone"));
  rmSync(bench.path("gone"), { recursive: true });
  assert.deepEqual(await replaceFile(replacement(bench, "gone/a.txt")), []);
  const end = await replaceFile(replacement(bench, "p/a.txt"));
  assert.equal(isTrouble(end) && end.code, "not_a_directory");
});
