import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
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
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  isTrouble,
  openRegular,
  stageChange,
  type FileBefore,
  type Notes,
  type Replacement,
  type Trouble,
} from "#adapters/workspace";
import { sha256, workbench, type Workbench } from "../tools/workbench.ts";

const replacement = (
  bench: Workbench,
  name: string,
  more: Partial<Replacement> = {},
): Replacement => ({
  path: bench.path(name),
  bytes: Buffer.from("new"),
  before: null,
  like: null,
  temporary: ".pawl-tmp-test",
  crash: () => {},
  ...more,
});

async function replace(how: Replacement): Promise<Notes | Trouble> {
  const staged = await stageChange(how);
  return isTrouble(staged) ? staged : await staged.swap();
}

const seen = (bench: Workbench, name: string): Pick<Replacement, "before" | "like"> => {
  const stats = statSync(bench.path(name));
  const before: FileBefore = { stats, hash: sha256(bench.bytes(name)) };
  return { before, like: stats };
};

test("[E13] a new file gets its mode from the umask, with the folders above it", async () => {
  const bench = workbench();
  const mask = process.umask(0o027);
  try {
    assert.deepEqual(await replace(replacement(bench, "a/b/c.txt")), []);
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
  await replace(replacement(bench, "run.sh", seen(bench, "run.sh")));
  const now = statSync(bench.path("run.sh"));
  assert.deepEqual(
    [now.mode, now.uid, now.gid, bench.text("run.sh")],
    [before.mode, before.uid, before.gid, "new"],
  );
});

test("[E13] other names of a hard-linked file keep the old content, and it is said", async () => {
  const bench = workbench({ one: "old" });
  linkSync(bench.path("one"), bench.path("two"));
  const notes = await replace(replacement(bench, "one", seen(bench, "one")));
  assert.deepEqual(notes, ["it had 2 hard links: the other name keeps the old content"]);
  assert.deepEqual([bench.text("one"), bench.text("two")], ["new", "old"]);
});

test("a leftover temporary file of the same call is written anew", async () => {
  const bench = workbench({ ".pawl-tmp-test": "torn" });
  chmodSync(bench.path(".pawl-tmp-test"), 0o400);
  await replace(replacement(bench, "a.txt"));
  assert.deepEqual(readdirSync(bench.cwd), ["a.txt"]);
});

test("a file that appears or changes at the last moment is not overwritten", async () => {
  const bench = workbench({ "old.txt": "old" });
  const appeared = await replace(
    replacement(bench, "a.txt", {
      crash: (point) => point === "before_rename" && writeFileSync(bench.path("a.txt"), "theirs"),
    }),
  );
  const changed = await replace(
    replacement(bench, "old.txt", {
      ...seen(bench, "old.txt"),
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

test("[E14] a change of the same size within the same tick of the clock is seen", async () => {
  const bench = workbench({ "old.txt": "old" });
  const before = seen(bench, "old.txt");
  const end = await replace(
    replacement(bench, "old.txt", {
      ...before,
      crash: (point) => {
        if (point !== "before_rename") return;
        writeFileSync(bench.path("old.txt"), "odd");
        const { atime, mtime } = before.like ?? statSync(bench.path("old.txt"));
        utimesSync(bench.path("old.txt"), atime, mtime);
      },
    }),
  );
  assert.equal(isTrouble(end) && end.code, "changed");
  assert.equal(bench.text("old.txt"), "odd");
});

test("what is dropped before the rename leaves everything as it was", async () => {
  const bench = workbench();
  const staged = await stageChange(replacement(bench, "a.txt"));
  assert.ok(!isTrouble(staged));
  await staged.drop();
  assert.deepEqual(readdirSync(bench.cwd), []);
});

test("a lock that a killed process left is taken over at once", async () => {
  const bench = workbench({ "old.txt": "old" });
  const name = createHash("sha256").update("old.txt").digest("hex").slice(0, 16);
  bench.file(`.pawl-lock-${name}`, "999999999");
  assert.deepEqual(await replace(replacement(bench, "old.txt", seen(bench, "old.txt"))), []);
  assert.deepEqual(readdirSync(bench.cwd), ["old.txt"]);
});

test("[R67] a parent that becomes a link while the file is written leads nowhere else", async () => {
  const bench = workbench({ "d/keep.txt": "k" });
  const outside = join(dirname(bench.cwd), "outside");
  mkdirSync(outside);
  await replace(
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
  const end = await replace(replacement(bench, "d/a.txt"));
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
  assert.deepEqual(await replace(replacement(bench, "gone/a.txt")), []);
  const end = await replace(replacement(bench, "p/a.txt"));
  assert.equal(isTrouble(end) && end.code, "not_a_directory");
});
