import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { hash, isPawlError, sessionId, type Entry } from "#core";
import { ended, runChild, startChild, type Ended } from "./children.ts";
import {
  entriesOf,
  id,
  note,
  notesIn,
  readBack,
  writeSession,
  type OnDisk,
} from "./sessions-on-disk.ts";

/** Entries a child was told are on disk. */
const promised = ({ lines }: Ended): number =>
  Math.max(1, ...lines.flatMap((line) => line.split(" ").map(Number)));

/** What must hold after any death: everything promised is there, nothing is damaged but a cut end, blobs are whole. */
async function requireNothingLost(session: OnDisk, child: Ended): Promise<void> {
  const journal = await session.store.open(id, "writer");
  const entries = await entriesOf(journal);
  assert.ok(entries.length >= promised(child), `${entries.length} of ${promised(child)} are there`);
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1),
  );
  assert.deepEqual(
    journal.damage.filter(({ kind }) => kind !== "torn_tail"),
    [],
  );
  for (const blob of blobsIn(entries)) await journal.getBlob(hash(blob));
  await journal.close();
}

const blobsIn = (entries: readonly Entry[]): string[] =>
  notesIn(entries).filter((text) => /^[0-9a-f]{64}$/.test(text));

const points = [
  "journal.before_append",
  "journal.after_write",
  "journal.after_append",
  "blob.after_rename",
  "blob.after_sync",
];

for (const point of points) {
  test(`killed at ${point}, every promised entry is there, time after time (R74)`, async () => {
    const session = await writeSession(["first"]);
    for (const time of [1, 2, 8, 1]) {
      const crashAt = `${point}#${time}`;
      const child = await runChild({ ...session, id, what: "append_blobs", count: 9, crashAt });
      assert.equal(child.signal, "SIGKILL", child.errors);
      assert.equal(child.lines.length, time - 1);
      await requireNothingLost(session, child);
    }
  });
}

test("killed at any moment, every promised entry is there (R74, R85)", async () => {
  const session = await writeSession(["first"]);
  for (let run = 0; run < 12; run += 1) {
    const child = startChild({ ...session, id, what: "append_blobs", count: 1e6 });
    const end = ended(child);
    await once(child.stdout ?? child, "data");
    await pause(run * 3);
    child.kill("SIGKILL");
    await requireNothingLost(session, await end);
  }
});

test("two processes that append 1,000 times each: the second is refused, nothing is lost [S13]", async () => {
  const session = await writeSession(["first"]);
  const first = startChild({ ...session, id, what: "append_and_hold", count: 1000 });
  const firstEnd = ended(first);
  await once(first.stdout ?? first, "data");
  const second = await runChild({ ...session, id, what: "append", count: 1000 });
  assert.deepEqual([second.code, second.lines], [1, []]);
  assert.match(second.errors, new RegExp(`in use by process ${first.pid} since[^]*journal_locked`));
  const reader = await session.store.open(id, "reader");
  assert.deepEqual(reader.damage, []);
  first.stdin?.end();
  assert.equal((await firstEnd).lines.length, 1000);
  assert.equal((await entriesOf(reader)).length, 2001);
  assert.deepEqual((await readBack(session)).damage, []);
});

test("a lease is free the moment its process is killed, and its note deceives nobody", async () => {
  const session = await writeSession(["first"]);
  const child = startChild({ ...session, id, what: "hold" });
  const end = ended(child);
  await once(child.stdout ?? child, "data");
  assert.equal((await session.store.list())[0]?.inUse, true);
  await assert.rejects(session.store.open(id, "writer"), (error) =>
    isPawlError(error, "journal_locked"),
  );
  assert.deepEqual((await readBack(session)).notes, ["first"]);
  child.kill("SIGKILL");
  await end;
  assert.ok(existsSync(join(session.folder, "owner.json")));
  assert.equal((await session.store.list())[0]?.inUse, false);
  assert.deepEqual((await readBack(session, "writer")).notes, ["first"]);
  assert.equal(existsSync(join(session.folder, "owner.json")), false);
});

test("a session that another process writes is not removed [S25]", async () => {
  const session = await writeSession(["first"]);
  const child = startChild({ ...session, id, what: "hold" });
  const end = ended(child);
  await once(child.stdout ?? child, "data");
  await assert.rejects(session.store.remove(id), (error) => isPawlError(error, "session_in_use"));
  assert.deepEqual((await readBack(session)).notes, ["first"]);
  child.kill("SIGKILL");
  await end;
  await session.store.remove(id);
  assert.equal(existsSync(session.folder), false);
});

test("looking whether a session is in use never keeps a writer from it", async () => {
  const session = await writeSession(["first"]);
  let isLooking = true;
  const looking = (async () => {
    while (isLooking) await session.store.list();
  })();
  const child = await runChild({ ...session, id, what: "append", count: 20 });
  isLooking = false;
  await looking;
  assert.deepEqual([child.code, child.lines.length], [0, 20]);
});

test("a fork that is killed is there whole or not at all [S08]", async () => {
  const session = await writeSession(["a", "b", "c"]);
  const journal = await session.store.open(id, "writer");
  await journal.putBlob(Buffer.from("blob"));
  await journal.close();
  const forkId = sessionId(`${id.slice(0, -1)}F`);
  for (const crashAt of ["session.before_rename", "session.after_rename"]) {
    const child = await runChild({ ...session, id, what: "fork", count: 2, crashAt });
    assert.equal(child.signal, "SIGKILL", child.errors);
    const ids = (await session.store.list()).map((info) => info.id);
    if (crashAt === "session.before_rename") {
      assert.deepEqual(ids, [id]);
      continue;
    }
    assert.deepEqual(ids.toSorted(), [id, forkId]);
    assert.equal((await readBack(session)).notes.length, 3);
    const fork = await session.store.open(forkId, "writer");
    assert.deepEqual(notesIn(await entriesOf(fork)), ["a", "b"]);
    await fork.append([note("on")]);
    await fork.close();
  }
});
