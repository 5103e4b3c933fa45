import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeFolders } from "#adapters/system";

const root = mkdtempSync(join(tmpdir(), "pawl-folders-"));
after(() => rmSync(root, { recursive: true }));

test("folders are made down from the first that is missing, and only once", async () => {
  assert.equal(await makeFolders(join(root, "a/b/c"), 0o700), join(root, "a"));
  assert.equal(statSync(join(root, "a/b/c")).mode & 0o777, 0o700);
  assert.equal(await makeFolders(join(root, "a/b/c"), 0o700), null);
  assert.equal(await makeFolders(join(root, "a/b/d"), 0o700), join(root, "a/b/d"));
});

test("a file in the way is an error", async () => {
  writeFileSync(join(root, "file"), "");
  await assert.rejects(makeFolders(join(root, "file/a"), 0o700), { code: "ENOTDIR" });
});

test("a file system that knows no new names ends it with an error, not never", async (t) => {
  if (process.platform !== "linux") return t.skip("there is no /proc here");
  await assert.rejects(makeFolders("/proc/pawl-x/y", 0o700), { code: "ENOENT" });
});
