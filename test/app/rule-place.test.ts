import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { rulesFromFlags } from "#app/config";
import { wordsFor } from "#i18n";
import { folderWith } from "./folder.ts";

const words = await wordsFor("en");

const patternOf = (written: string): string | null =>
  rulesFromFlags([written], "deny", { words, ownTools: [] })[0]?.pattern ?? null;

test("[M11] a path rule may name the home folder with ~", () => {
  assert.equal(patternOf("read(~/no-such-folder/**)"), `${homedir()}/no-such-folder/**`);
  assert.equal(patternOf("bash(ls ~/x)"), "ls ~/x");
  assert.equal(patternOf("read(a~/x)"), "a~/x");
});

test("[M07] a path rule written through a link means what the link leads to, also for what is not there yet", async () => {
  await using folder = await folderWith({ "real/key": "1" });
  await symlink(join(folder.path, "real"), join(folder.path, "link"));
  const real = join(folder.path, "real");
  assert.equal(patternOf(`read(${folder.path}/link/**)`), `${real}/**`);
  assert.equal(patternOf(`write(${folder.path}/link/later/x.md)`), `${real}/later/x.md`);
  assert.equal(patternOf(`read(${folder.path}/link/)`), `${real}/`);
  assert.equal(patternOf("read(/*)"), "/*");
  assert.equal(patternOf("read(src/**)"), "src/**");
});
