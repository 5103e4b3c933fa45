import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { shortStatus } from "../../src/app/context/git-status.ts";
import { findRepository } from "../../src/app/context/repository.ts";
import { openWorktree } from "../../src/app/worktree.ts";
import { wordsFor } from "#i18n";
import { folderWith, makeFifo } from "./folder.ts";

const words = await wordsFor("en");

function git(cwd: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...args], { cwd, encoding: "utf8" }).trim();
}

async function statusOf(cwd: string): Promise<string | null> {
  const repository = await findRepository(cwd);
  assert.ok(repository);
  return shortStatus(repository, cwd, process.env);
}

test("branch and commit are read without git, loose or packed, from any folder below", async () => {
  await using folder = await folderWith({ "a/b/file": "1" });
  git(folder.path, "init", "-q");
  const unborn = await findRepository(folder.path);
  assert.deepEqual([unborn?.branch, unborn?.head], ["main", null]);
  git(folder.path, "add", ".");
  git(folder.path, "commit", "-qm", "one");
  const head = git(folder.path, "rev-parse", "HEAD");
  const loose = await findRepository(join(folder.path, "a/b"));
  assert.deepEqual([loose?.root, loose?.branch, loose?.head], [folder.path, "main", head]);
  git(folder.path, "pack-refs", "--all");
  assert.equal((await findRepository(folder.path))?.head, head);
  git(folder.path, "checkout", "-q", "--detach");
  const detached = await findRepository(folder.path);
  assert.deepEqual([detached?.branch, detached?.head], [null, head]);
});

test("a linked work tree has its own branch and shares the commits", async () => {
  await using folder = await folderWith({ "main/file": "1" });
  const main = join(folder.path, "main");
  git(main, "init", "-q");
  git(main, "add", ".");
  git(main, "commit", "-qm", "one");
  git(main, "worktree", "add", "-q", "-b", "other", "../tree");
  const tree = await findRepository(join(folder.path, "tree"));
  assert.deepEqual([tree?.branch, tree?.head], ["other", git(main, "rev-parse", "HEAD")]);
  assert.equal(tree?.commonFolder, join(main, ".git"));
});

test("a folder without git, or with something else under that name, is no repository", async () => {
  await using folder = await folderWith({ "a/.git": "x".repeat(10_000), "b/.git/none": "" });
  assert.equal(await findRepository(join(folder.path, "a")), null);
  assert.equal(await findRepository(join(folder.path, "b")), null);
});

test("the short status names what is new and changed, and is cut after 20 lines", async () => {
  await using folder = await folderWith({ kept: "1" });
  git(folder.path, "init", "-q");
  git(folder.path, "add", ".");
  git(folder.path, "commit", "-qm", "one");
  assert.equal(await statusOf(folder.path), "");
  await writeFile(join(folder.path, "kept"), "2");
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => writeFile(join(folder.path, `new${index}`), "")),
  );
  const lines = (await statusOf(folder.path))?.split("\n") ?? [];
  assert.deepEqual([lines[0], lines.length, lines.at(-1)], [" M kept", 21, "… 11 more"]);
});

const traps = [
  { title: "a file system monitor", config: (trap: string) => `[core]\n\tfsmonitor = ${trap}\n` },
  { title: "hooks", config: (trap: string) => `[core]\n\thooksPath = ${trap}-hooks\n` },
  {
    title: "a filter",
    config: (trap: string) => `[filter "x"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n`,
  },
  {
    title: "a filter of another process",
    config: (trap: string) => `[FILTER "x"]\n\tprocess = ${trap}\n`,
  },
  { title: "an included file", config: (trap: string) => `[include]\n\tpath = ${trap}.inc\n` },
];

for (const { title, config } of traps) {
  test(`a repository that brings ${title} starts no program at all`, async () => {
    await using folder = await folderWith({ file: "1", ".gitattributes": "* filter=x\n" });
    const trap = join(folder.path, "trap.sh");
    const mark = join(folder.path, "sprung");
    git(folder.path, "init", "-q");
    git(folder.path, "add", ".");
    git(folder.path, "commit", "-qm", "one");
    await writeFile(trap, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
    await writeFile(`${trap}.inc`, `[filter "x"]\n\tclean = ${trap}\n`);
    await chmod(trap, 0o755);
    await mkdir(`${trap}-hooks`);
    await appendFile(join(folder.path, ".git/config"), config(trap));
    await utimes(join(folder.path, "file"), 1, 1);
    await statusOf(folder.path);
    const place = { cwd: folder.path, environment: process.env };
    await openWorktree("side", place, words).catch((error: unknown) => {
      assert.match(String(error), /may start programs/);
    });
    assert.equal(existsSync(mark), false);
  });
}

test("a pipe or an endless device in place of a git file is not waited for", async () => {
  for (const name of ["config", "info/attributes", "info/exclude", "HEAD", "packed-refs"]) {
    await using folder = await folderWith({ file: "1" });
    git(folder.path, "init", "-q");
    const path = join(folder.path, ".git", name);
    await rm(path, { force: true });
    makeFifo(path);
    const repository = await findRepository(folder.path);
    if (repository) await shortStatus(repository, folder.path, process.env);
    await rm(path);
    await symlink("/dev/zero", path);
    if (repository) await shortStatus(repository, folder.path, process.env);
  }
});
