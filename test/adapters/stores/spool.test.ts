import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openSpool } from "#adapters/stores";

const root = mkdtempSync(join(tmpdir(), "pawl-spool-"));
after(() => rmSync(root, { recursive: true }));
let count = 0;

/** A session folder as the store makes it. */
function makeFolder(): { readonly folder: string; readonly file: string } {
  const folder = join(root, String((count += 1)));
  mkdirSync(join(folder, "spool"), { recursive: true });
  return { folder, file: join(folder, "spool", "deltas") };
}

/** Until what was written before has reached the file. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn += 1) await pause(1);
  assert.ok(holds());
}

const textIn = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

for (const [kind, makeSpool] of [
  ["file", () => openSpool(makeFolder().folder)],
  ["memory", () => openSpool(null)],
] as const) {
  test(`${kind}: what was written is taken once`, async () => {
    const spool = makeSpool();
    for (const delta of ["a", "", "b\n", "你好", "\ud83d", "\ude00"]) spool.write(delta);
    assert.equal(await spool.take(), "ab\n你好😀");
    assert.equal(await spool.take(), "");
    spool.write("c");
    assert.equal(await spool.take(), "c");
    await spool.close();
  });

  test(`${kind}: what was cleared is gone, what comes after it stays`, async () => {
    const spool = makeSpool();
    spool.clear();
    spool.write("a");
    spool.clear();
    spool.write("b");
    assert.equal(await spool.take(), "b");
    spool.write("c");
    spool.clear();
    assert.equal(await spool.take(), "");
    await spool.close();
  });
}

test("deltas reach the file while the reply still streams, without anybody waiting", async () => {
  const { folder, file } = makeFolder();
  const spool = openSpool(folder);
  spool.write("first");
  await until(() => textIn(file) === "first");
  for (let index = 0; index < 10_000; index += 1) spool.write("x");
  await until(() => textIn(file).length === 10_005);
  await spool.close();
});

test("the next process finds what the last one left, and finds it again if it dies before it goes on", async () => {
  const { folder, file } = makeFolder();
  const first = openSpool(folder);
  first.write("partial reply");
  await until(() => textIn(file) !== "");
  const second = openSpool(folder);
  assert.equal(await second.take(), "partial reply");
  const third = openSpool(folder);
  assert.equal(await third.take(), "partial reply");
  third.write("next");
  await until(() => textIn(file) === "next");
  await third.close();
  await second.close();
  assert.equal(textIn(file), "", "what was taken is gone when its taker closes");
  await first.close();
});

test("a character whose bytes did not all arrive is left out", async () => {
  const { folder, file } = makeFolder();
  writeFileSync(file, Buffer.from("ab你好").subarray(0, 7));
  const spool = openSpool(folder);
  assert.equal(await spool.take(), "ab你");
  await spool.close();
});

test("only the owner can read the file", async () => {
  const { folder, file } = makeFolder();
  const spool = openSpool(folder);
  spool.write("a");
  await until(() => textIn(file) === "a");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await spool.close();
});

test("a spool that cannot be written stops nobody", async () => {
  const { folder } = makeFolder();
  rmSync(join(folder, "spool"), { recursive: true });
  const spool = openSpool(folder);
  spool.write("a");
  await pause(5);
  spool.write("b");
  assert.equal(await spool.take(), "");
  mkdirSync(join(folder, "spool"));
  spool.clear();
  spool.write("c");
  assert.equal(await spool.take(), "c");
  await spool.close();
});
