import assert from "node:assert/strict";
import { hash as digest } from "node:crypto";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isPawlError } from "#core";
import { openWriter } from "../../../src/adapters/stores/jsonl/writer.ts";
import { runChild } from "./children.ts";
import {
  entriesOf,
  id,
  makeHome,
  note,
  notesIn,
  otherId,
  readBack,
  writeSession,
} from "./sessions-on-disk.ts";

const failed = (error: unknown): boolean => isPawlError(error, "journal_failed");

/** Every file and folder below, with its size. */
function sizesIn(folder: string): Record<string, number> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(paths.map((path) => [path, statSync(path).size]));
}

test("a line has exactly the form that the journal page gives", async () => {
  const { lines } = await writeSession(["a\u2028b\u2029 \ud83d 你好"]);
  assert.deepEqual(lines, [
    '{"v":1,"seq":1,"at":1764500000000,"prev":"00000000000000000000000000000000","fact":{"type":"hook.ran","point":"test","call":null,"note":"a\\u2028b\\u2029 \\ud83d 你好"},"sum":"836a6d83"}',
  ]);
});

test("line separators of Unicode are escaped in the file, and our reader splits on LF only [H07]", async () => {
  const texts = ["one \u2028 two", "one \u2029 two", "one \u0085\u000b\u000c\r two"];
  const session = await writeSession(texts);
  assert.doesNotMatch(session.bytes.toString(), /[\u2028\u2029]/);
  assert.deepEqual(await readBack(session), { notes: texts, damage: [] });
});

test("files are readable by their owner only, folders too", async () => {
  const session = makeHome();
  const { home, store, cwd } = session;
  const journal = await store.create({ id, cwd });
  await journal.append([note("a")]);
  await journal.putBlob(Buffer.from("blob"));
  const fork = await store.fork({ id, seq: 1 }, { id: otherId, cwd });
  appendFileSync(join(fork.folder ?? "", "journal.jsonl"), "torn");
  await fork.close();
  await (await store.open(otherId, "writer")).close();
  const found = readdirSync(home, { recursive: true, withFileTypes: true });
  const modes = found.map((one) => {
    const path = join(one.parentPath, one.name);
    return `${one.isFile()} ${(statSync(path).mode & 0o777).toString(8)}`;
  });
  assert.ok(found.some(({ name }) => name === "journal.torn-1"));
  assert.deepEqual(new Set(modes), new Set(["true 600", "false 700"]));
});

test("an append writes its own lines and nothing else, however long the history (R71, R77)", async () => {
  const { store, cwd, home } = makeHome();
  const journal = await store.create({ id, cwd });
  const grownBytes: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await journal.append(Array.from({ length: 999 }, (_, index) => note(`history ${index}`)));
    const before = sizesIn(home);
    const [entry] = await journal.append([note("the same")]);
    const after = sizesIn(home);
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    assert.deepEqual(changed, [join(journal.folder ?? "", "journal.jsonl")]);
    const line = JSON.stringify(entry).length + 1;
    const [path = ""] = changed;
    grownBytes.push((after[path] ?? 0) - (before[path] ?? 0) - line);
  }
  assert.deepEqual(grownBytes, [0, 0, 0, 0, 0]);
});

test("when the disk is full the append fails in plain words, the file is as before, and later ones work [S14]", async () => {
  const session = await writeSession(["first"]);
  const child = await runChild({ ...session, id, what: "large", mostKiB: 64 });
  const refused =
    "Writing the journal failed: the file has reached the largest size allowed (EFBIG). Make room, then try again.";
  assert.deepEqual(
    child.lines,
    ["1000 at 2", "20000 at 3", "1000 at 4", refused, "2000 at 5"],
    child.errors,
  );
  const { notes, damage } = await readBack(session);
  assert.deepEqual(
    notes.map((text) => text.length),
    [5, 1_000, 20_000, 1_000, 2_000],
  );
  assert.deepEqual(damage, []);
});

test("after a failed sync nothing is written any more", async () => {
  // A device that takes every byte and refuses to sync.
  const writer = openWriter("/dev/null", { seq: 0, prev: "", bytes: 0 }, () => {});
  await assert.rejects(writer.append([note("a")]), failed);
  assert.equal(writer.tail.seq, 0);
  await assert.rejects(
    writer.append([note("b")]),
    (error) => failed(error) && String(error).includes("until it is opened again"),
  );
  await writer.close();
});

for (const [what, change] of [
  ["appended to", (path: string) => appendFileSync(path, "x")],
  ["shortened", (path: string) => truncateSync(path, 10)],
  ["deleted", (path: string) => rmSync(path)],
  [
    "replaced",
    (path: string) => {
      writeFileSync(`${path}.new`, readFileSync(path));
      renameSync(`${path}.new`, path);
    },
  ],
] as const) {
  test(`a journal that another program has ${what} is not written on`, async () => {
    const session = await writeSession(["a"]);
    const journal = await session.store.open(id, "writer");
    change(session.path);
    await assert.rejects(journal.append([note("b")]), failed);
    await assert.rejects(journal.append([note("c")]), failed);
    assert.equal(journal.seq, 1);
    await journal.close();
  });
}

test("a damaged blob is missing, and is mended when the same bytes are kept again", async () => {
  const { store, cwd } = makeHome();
  const journal = await store.create({ id, cwd });
  const name = await journal.putBlob(Buffer.from("some bytes"));
  const path = join(journal.folder ?? "", "blobs", name);
  writeFileSync(path, "same bytes");
  await assert.rejects(journal.getBlob(name), (error) => isPawlError(error, "blob_missing"));
  await journal.close();
  const again = await store.open(id, "writer");
  await again.putBlob(Buffer.from("some bytes"));
  assert.equal(Buffer.from(await again.getBlob(name)).toString(), "some bytes");
  await again.close();
});

test("the same bytes are written once, also by a hundred callers at once", async () => {
  const { store, cwd } = makeHome();
  const journal = await store.create({ id, cwd });
  const puts = Array.from({ length: 100 }, () => journal.putBlob(Buffer.from("same")));
  assert.equal(new Set(await Promise.all(puts)).size, 1);
  assert.deepEqual(readdirSync(join(journal.folder ?? "", "blobs")), [
    digest("sha256", "same", "hex"),
  ]);
  await journal.close();
});

test("a fork is the parent's file byte for byte up to its entry, bad lines included", async () => {
  const session = await writeSession(["a", "b", "c", "d"]);
  const [a = "", b = "", c = ""] = session.lines;
  const damaged = `${a}\n${b.replace('"b"', '"B"')}\n${c}\n`;
  session.damage(`${damaged}${session.lines[3]}\n`);
  const fork = await session.store.fork({ id, seq: 3 }, { id: otherId, cwd: session.cwd });
  const path = join(fork.folder ?? "", "journal.jsonl");
  assert.equal(readFileSync(path, "utf8"), damaged);
  assert.deepEqual(notesIn(await entriesOf(fork)), ["a", "c"]);
  await fork.append([note("on")]);
  assert.ok(readFileSync(path, "utf8").startsWith(damaged));
  await fork.close();
});
