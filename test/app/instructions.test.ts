import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { wordsFor } from "#i18n";
import { findInstructions } from "../../src/app/context/instructions.ts";
import { homeOf } from "../../src/app/home.ts";
import { folderWith, makeFifo } from "./folder.ts";

const words = await wordsFor("en");

async function find(
  path: string,
  below = "repo",
): Promise<{ texts: readonly string[]; notices: readonly string[] }> {
  const home = homeOf({ PAWL_HOME: join(path, "home") });
  const place = { cwd: join(path, below), root: join(path, "repo") };
  const { files, notices } = await findInstructions(home, place, words);
  return { texts: files.map((file) => file.text), notices };
}

test("the nearest AGENTS.md up to the repository root wins, after the user's own instructions", async () => {
  await using folder = await folderWith({
    "home/instructions.md": "mine\n",
    "AGENTS.md": "outside the repository",
    "repo/AGENTS.md": "root",
    "repo/a/AGENTS.md": "nearest",
    "repo/a/b/file": "",
  });
  assert.deepEqual((await find(folder.path, "repo/a/b")).texts, ["mine", "nearest"]);
});

test("nothing above the repository root is read", async () => {
  await using folder = await folderWith({ "AGENTS.md": "outside", "repo/a/file": "" });
  assert.deepEqual((await find(folder.path, "repo/a")).texts, []);
});

test("CLAUDE.md is read when there is no AGENTS.md anywhere up to the root", async () => {
  await using folder = await folderWith({
    "repo/AGENTS.md": "agents",
    "repo/a/CLAUDE.md": "nearer, but the other name",
    "repo/a/file": "",
  });
  assert.deepEqual((await find(folder.path, "repo/a")).texts, ["agents"]);
  await using other = await folderWith({ "repo/CLAUDE.md": "claude" });
  assert.deepEqual((await find(other.path)).texts, ["claude"]);
});

test("a link inside the repository is followed, and a file reached twice is loaded once", async () => {
  await using folder = await folderWith({ "repo/docs/RULES.md": "rules", "home/file": "" });
  await symlink("docs/RULES.md", join(folder.path, "repo/AGENTS.md"));
  await symlink(join(folder.path, "repo/AGENTS.md"), join(folder.path, "home/instructions.md"));
  assert.deepEqual((await find(folder.path)).texts, ["rules"]);
});

test("a link out of the repository is not read, unless it leads to a file of that name", async () => {
  await using folder = await folderWith({ id_rsa: "secret", "repo/file": "" });
  await symlink("../id_rsa", join(folder.path, "repo/AGENTS.md"));
  const { texts, notices } = await find(folder.path);
  assert.deepEqual(texts, []);
  assert.match(notices.join(), /link out of the repository/);
  await using shared = await folderWith({ "dotfiles/AGENTS.md": "shared", "repo/file": "" });
  await symlink("../dotfiles/AGENTS.md", join(shared.path, "repo/AGENTS.md"));
  assert.deepEqual((await find(shared.path)).texts, ["shared"]);
});

test("a FIFO, a folder and bytes that are no text are passed over and said", async () => {
  await using folder = await folderWith({
    "repo/a/AGENTS.md/file": "",
    "repo/AGENTS.md": new Uint8Array([0xff, 0xfe, 0]),
    "home/file": "",
  });
  makeFifo(join(folder.path, "home/instructions.md"));
  const { texts, notices } = await find(folder.path, "repo/a");
  assert.deepEqual(texts, []);
  assert.equal(notices.length, 3);
});

test("a long file is cut between characters and said", async () => {
  await using folder = await folderWith({ "repo/AGENTS.md": "你".repeat(40_000) });
  const { texts, notices } = await find(folder.path);
  assert.equal(texts[0], "你".repeat(21_333));
  assert.match(notices.join(), /only its beginning/);
});

test("[E04] a byte order mark is taken off", async () => {
  await using folder = await folderWith({ "repo/AGENTS.md": "\uFEFFrules" });
  assert.deepEqual((await find(folder.path)).texts, ["rules"]);
});
