import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { writeFileAtomic } from "#adapters/system";

const folder = await mkdtemp(join(tmpdir(), "pawl-atomic-"));
after(() => rm(folder, { recursive: true }));

test("a file is written whole, readable by its owner only", async () => {
  const path = join(folder, "new");
  await writeFileAtomic(path, "你好\n");
  assert.equal(await readFile(path, "utf8"), "你好\n");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("a file is replaced, with the mode that is asked for", async () => {
  const path = join(folder, "old");
  await writeFile(path, "before, and longer");
  await writeFileAtomic(path, Buffer.from("after"), 0o640);
  assert.equal(await readFile(path, "utf8"), "after");
  assert.equal((await stat(path)).mode & 0o777, 0o640);
});

test("when it cannot be written, what was there stays and nothing is left beside it", async () => {
  const inside = join(folder, "full");
  await mkdir(join(inside, "target", "kept"), { recursive: true });
  await assert.rejects(writeFileAtomic(join(inside, "target"), "x"));
  await assert.rejects(writeFileAtomic(join(inside, "missing", "x"), "x"));
  assert.deepEqual(await readdir(inside), ["target"]);
});
