import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { callId, requestId, type Entry, type Stamped } from "#core";
import {
  cwd,
  entriesOf,
  failsWith,
  type Law,
  note,
  notesIn,
  one,
  stamped,
  writeSession,
} from "./law.ts";

/** Strings that break careless writers and readers. */
const hostile: readonly string[] = [
  "",
  "two\nlines\r\nand\ttabs",
  "\u0000\u0007\u001b[31m\u007f\u0085",
  "line separator \u2028 and paragraph separator \u2029",
  "lone surrogates \ud83d and \ude00, a pair \ud83d\ude00",
  "\ufeff byte order mark, \u202e bidirectional, \u200b zero width",
  '{"v":1,"seq":1,"at":0,"prev":"","fact":{},"sum":"00000000"}',
  '\\u0000 \\" \\\\ ,"sum":"00000000"}',
  "你好，世界 🧑‍🤝‍🧑",
  "x".repeat(100_000),
];

export const journalLaws: readonly Law[] = [
  {
    says: "a new journal is empty and undamaged",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      assert.equal(journal.id, one);
      assert.equal(journal.seq, 0);
      assert.deepEqual(journal.damage, []);
      assert.deepEqual(await entriesOf(journal), []);
    },
  },
  {
    says: "what is appended is read back whole and in order, also after reopening",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      const written = [
        ...(await journal.append([note("a"), note("b")])),
        ...(await journal.append([note("c")])),
      ];
      assert.deepEqual(await entriesOf(journal), written);
      await journal.close();
      const again = await store.open(one, "writer");
      assert.equal(again.seq, 3);
      assert.deepEqual(await entriesOf(again), written);
      assert.deepEqual(await entriesOf(again), written, "reading twice gives the same");
      assert.deepEqual(notesIn(await again.append([note("d")])), ["d"]);
      assert.deepEqual(notesIn(await entriesOf(again)), ["a", "b", "c", "d"]);
      assert.deepEqual(again.damage, []);
    },
  },
  {
    says: "entries are numbered from 1, summed, and chained to the line before",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      await journal.append([note("a"), note("b")]);
      await journal.append([note("c")]);
      let prev = "0".repeat(32);
      for (const [index, entry] of (await entriesOf(journal)).entries()) {
        const line = lineOf(entry);
        assert.deepEqual(Object.keys(entry), ["v", "seq", "at", "prev", "fact", "sum"]);
        assert.equal(entry.v, 1);
        assert.equal(entry.seq, index + 1);
        assert.equal(entry.prev, prev);
        assert.equal(entry.sum, sumOf(line));
        prev = hash("sha256", line, "hex").slice(0, 32);
      }
    },
  },
  {
    says: "hostile strings, keys and deep values survive",
    async check(store) {
      const facts = [...hostile.map(note), oddValues()];
      const journal = await store.create({ id: one, cwd });
      await journal.append(facts);
      await journal.close();
      const again = await store.open(one, "reader");
      const read = (await entriesOf(again)).map(({ at, fact }) => ({ at, fact }));
      assert.equal(JSON.stringify(read), JSON.stringify(facts));
      assert.deepEqual(again.damage, []);
    },
  },
  {
    says: "reading starts where it is asked to",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      await journal.append(["a", "b", "c"].map(note));
      assert.deepEqual(notesIn(await entriesOf(journal, 3)), ["c"]);
      assert.deepEqual(notesIn(await entriesOf(journal, 2)), ["b", "c"]);
      assert.deepEqual(notesIn(await entriesOf(journal, 4)), []);
      await journal.append([note("d")]);
      assert.deepEqual(notesIn(await entriesOf(journal, 4)), ["d"]);
      assert.deepEqual(notesIn(await entriesOf(journal, 0)), ["a", "b", "c", "d"]);
    },
  },
  {
    says: "a batch is written all or none",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      const bad = stamped(JSON.parse("null"));
      await assert.rejects(journal.append([note("a"), bad]), failsWith("invalid_fact"));
      assert.deepEqual(await journal.append([]), []);
      await journal.append([note("b")]);
      assert.deepEqual(notesIn(await entriesOf(journal)), ["b"]);
      assert.equal(journal.seq, 1);
    },
  },
  {
    says: "appends asked for at the same time keep their order",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      const names = Array.from({ length: 50 }, (_, index) => `note ${index}`);
      const written = await Promise.all(names.map((name) => journal.append([note(name)])));
      assert.deepEqual(notesIn(written.flat()), names);
      assert.deepEqual(await entriesOf(journal), written.flat());
    },
  },
  {
    says: "what is done to a fact afterwards changes nothing",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      const paths = ["a"];
      await journal.append([stamped({ type: "workspace.restored", paths, call: null })]);
      paths.push("b");
      const [entry] = await entriesOf(journal);
      assert.deepEqual(entry?.fact, { type: "workspace.restored", paths: ["a"], call: null });
    },
  },
  {
    says: "a session has one writer at a time",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      await assert.rejects(store.open(one, "writer"), failsWith("journal_locked"));
      await journal.append([note("a")]);
      await journal.close();
      await journal.close();
      const next = await store.open(one, "writer");
      await assert.rejects(store.open(one, "writer"), failsWith("journal_locked"));
      await next.append([note("b")]);
      assert.deepEqual(notesIn(await entriesOf(next)), ["a", "b"]);
    },
  },
  {
    says: "any number of readers follow a writer",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      await journal.append([note("a")]);
      const readers = [await store.open(one, "reader"), await store.open(one, "reader")];
      for (const reader of readers) assert.deepEqual(notesIn(await entriesOf(reader)), ["a"]);
      await journal.append([note("b")]);
      await journal.append([note("c")]);
      for (const reader of readers) {
        assert.deepEqual(notesIn(await entriesOf(reader, 2)), ["b", "c"]);
        assert.deepEqual(notesIn(await entriesOf(reader)), ["a", "b", "c"]);
        assert.equal(reader.seq, 3);
        assert.deepEqual(reader.damage, []);
      }
    },
  },
  {
    says: "a reader changes nothing, and neither does a journal that was closed",
    async check(store) {
      await writeSession(store, { id: one, notes: ["a"] });
      const reader = await store.open(one, "reader");
      await assert.rejects(reader.append([note("b")]), failsWith("journal_read_only"));
      await assert.rejects(reader.putBlob(Buffer.from("b")), failsWith("journal_read_only"));
      const writer = await store.open(one, "writer");
      await writer.close();
      await assert.rejects(writer.append([note("b")]), failsWith("journal_closed"));
      await assert.rejects(writer.putBlob(Buffer.from("b")), failsWith("journal_closed"));
      assert.deepEqual(notesIn(await entriesOf(reader)), ["a"]);
    },
  },
  {
    says: "closing waits for the appends under way",
    async check(store) {
      const journal = await store.create({ id: one, cwd });
      const appends = ["a", "b"].map((name) => journal.append([note(name)]));
      await journal.close();
      await Promise.all(appends);
      const reader = await store.open(one, "reader");
      assert.deepEqual(notesIn(await entriesOf(reader)), ["a", "b"]);
    },
  },
];

/** Values that are lost by stores that do not keep JSON exactly. */
function oddValues(): Stamped {
  const docs = JSON.parse('{"__proto__":{"constructor":[1,[2,[3,{}]]]},"":null,"\\ud800":1e-7}');
  return stamped({
    type: "tool.finished",
    call: callId(requestId(1), 0),
    attempt: 1,
    outcome: "ok",
    content: [],
    effects: [],
    docs,
    durationMs: 0.1,
  });
}

/** The line of an entry that has no line separators in it, and the sum over what comes before `,"sum":`. */
const lineOf = (entry: Entry): string => JSON.stringify(entry);
const sumOf = (line: string): string =>
  crc32(line.slice(0, line.lastIndexOf(',"sum":')))
    .toString(16)
    .padStart(8, "0");
