import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { sessionId } from "#core";
import type { Store } from "#runtime";
import {
  cwd,
  entriesOf,
  failsWith,
  type Law,
  note,
  notesIn,
  one,
  otherCwd,
  prompt,
  three,
  two,
  writeSession,
} from "./law.ts";

const idsOf = async (store: Store, options?: { readonly cwd?: string }): Promise<string[]> =>
  (await store.list(options)).map(({ id }) => id);

/** Longer than the clock of a file system needs to tick. */
const tickMs = 15;

export const sessionLaws: readonly Law[] = [
  {
    says: "a session that is not there is said not to be",
    async check(store) {
      for (const id of [one, sessionId(""), sessionId("../x"), sessionId("a/b")]) {
        for (const mode of ["writer", "reader"] as const) {
          await assert.rejects(store.open(id, mode), failsWith("session_not_found"));
        }
        await assert.rejects(store.remove(id), failsWith("session_not_found"));
        const fork = store.fork({ id, seq: 1 }, { id: two, cwd });
        await assert.rejects(fork, failsWith("session_not_found"));
      }
      assert.deepEqual(await store.list(), []);
    },
  },
  {
    says: "an id is used once, and only if every file system can hold it",
    async check(store) {
      await writeSession(store, { id: one, notes: ["a"] });
      await assert.rejects(store.create({ id: one, cwd }), failsWith("session_exists"));
      await assert.rejects(store.create({ id: one, cwd: otherCwd }), failsWith("session_exists"));
      const fork = store.fork({ id: one, seq: 1 }, { id: one, cwd });
      await assert.rejects(fork, failsWith("session_exists"));
      for (const id of ["", ".", "..", "a/b", "../x", "a\0b", ".hidden", "x".repeat(65)]) {
        const made = store.create({ id: sessionId(id), cwd });
        await assert.rejects(made, failsWith("invalid_session_id"));
      }
      assert.deepEqual(await idsOf(store), [one]);
    },
  },
  {
    says: "a list names the sessions, last used first, all or those of one folder",
    async check(store) {
      await writeSession(store, { id: one, notes: ["a"] });
      await writeSession(store, { id: two, cwd: otherCwd, notes: ["a"] });
      await pause(tickMs);
      const journal = await store.create({ id: three, cwd });
      await journal.append([note("no prompt"), prompt("  Fix the\n\ttest  "), prompt("Again")]);
      const [info] = await store.list();
      assert.deepEqual([info?.id, info?.cwd, info?.title], [three, cwd, "Fix the test"]);
      assert.equal(info?.inUse, true);
      await journal.close();
      assert.equal((await store.list())[0]?.inUse, false);
      await pause(tickMs);
      const again = await store.open(one, "writer");
      await again.append([note("b")]);
      await again.close();
      assert.deepEqual(await idsOf(store), [one, three, two]);
      assert.deepEqual(await idsOf(store, { cwd }), [one, three]);
      assert.deepEqual(await idsOf(store, { cwd: otherCwd }), [two]);
      assert.deepEqual(await idsOf(store, { cwd: "/pawl-conformance" }), []);
    },
  },
  {
    says: "a fork starts with the same entries and goes its own way",
    async check(store) {
      const parent = await store.create({ id: one, cwd });
      const blob = await parent.putBlob(Buffer.from("kept"));
      const written = await parent.append(["a", "b", "c"].map(note));
      const fork = await store.fork({ id: one, seq: 2 }, { id: two, cwd: otherCwd });
      assert.deepEqual([fork.id, fork.seq, fork.damage], [two, 2, []]);
      assert.deepEqual(await entriesOf(fork), written.slice(0, 2));
      await fork.append([note("other")]);
      await parent.append([note("d")]);
      assert.deepEqual(notesIn(await entriesOf(fork)), ["a", "b", "other"]);
      assert.deepEqual(notesIn(await entriesOf(parent)), ["a", "b", "c", "d"]);
      await parent.close();
      await store.remove(one);
      assert.equal(Buffer.from(await fork.getBlob(blob)).toString(), "kept");
      await fork.close();
      const [info] = await store.list({ cwd: otherCwd });
      assert.deepEqual([info?.id, info?.cwd], [two, otherCwd]);
    },
  },
  {
    says: "a fork after an entry that is not there is refused and leaves nothing",
    async check(store) {
      await writeSession(store, { id: one, notes: ["a", "b"] });
      for (const seq of [-1, 0, 3, 1.5, Number.NaN]) {
        const fork = store.fork({ id: one, seq }, { id: two, cwd });
        await assert.rejects(fork, failsWith("seq_not_found"));
      }
      assert.deepEqual(await idsOf(store), [one]);
      const fork = await store.fork({ id: one, seq: 2 }, { id: two, cwd });
      assert.deepEqual(notesIn(await entriesOf(fork)), ["a", "b"]);
    },
  },
  {
    says: "a session is removed unless somebody writes it",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      await journal.append([note("a")]);
      await assert.rejects(store.remove(one), failsWith("session_in_use"));
      await journal.append([note("b")]);
      await journal.close();
      await store.remove(one);
      assert.deepEqual(await store.list(), []);
      await assert.rejects(store.open(one, "reader"), failsWith("session_not_found"));
      await writeSession(store, { id: one, notes: ["anew"] });
      assert.deepEqual(notesIn(await entriesOf(await store.open(one, "reader"))), ["anew"]);
    },
  },
];
