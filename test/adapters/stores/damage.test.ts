import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { isPawlError } from "#core";
import { entriesOf, id, makeHome, note, readBack, writeSession } from "./sessions-on-disk.ts";

/** A line with a right sum over whatever `head` says. */
const summed = (head: string): string =>
  `${head},"sum":"${crc32(head).toString(16).padStart(8, "0")}"}`;

const summedBytes = (head: Buffer): Buffer =>
  Buffer.concat([head, Buffer.from(`,"sum":"${crc32(head).toString(16).padStart(8, "0")}"}`)]);

const headOf = (line: string): string => line.slice(0, line.lastIndexOf(',"sum":'));

const flip = (bytes: Buffer, bit: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
};

test("a journal torn at any byte of its last line loses that line only, and is written on (R85)", async () => {
  const session = await writeSession(["a", "b", "c"]);
  const { bytes, folder, damage } = session;
  const lastStart = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  for (let end = lastStart + 1; end < bytes.length - 1; end += 1) {
    damage(bytes.subarray(0, end));
    const journal = await session.store.open(id, "writer");
    assert.equal(journal.seq, 2);
    assert.deepEqual(
      journal.damage.map(({ kind, line }) => ({ kind, line })),
      [{ kind: "torn_tail", line: 3 }],
    );
    const torn = join(folder, "journal.torn-1");
    assert.deepEqual(readFileSync(torn), bytes.subarray(lastStart, end));
    rmSync(torn);
    await journal.append([note("d")]);
    await journal.close();
    assert.deepEqual(await readBack(session), { notes: ["a", "b", "d"], damage: [] });
  }
});

test("a last line that lacks only its newline is kept, and the next begins on a fresh line", async () => {
  const session = await writeSession(["a", "b"]);
  session.damage(session.bytes.subarray(0, -1));
  assert.deepEqual(await readBack(session), { notes: ["a", "b"], damage: [] });
  const journal = await session.store.open(id, "writer");
  await journal.append([note("c")]);
  await journal.close();
  assert.deepEqual(await readBack(session), { notes: ["a", "b", "c"], damage: [] });
  assert.equal(existsSync(join(session.folder, "journal.torn-1")), false);
});

test("torn ends are kept one beside the other", async () => {
  const session = await writeSession(["a"]);
  for (const half of ["half", "another"]) {
    session.damage(Buffer.concat([session.bytes, Buffer.from(half)]));
    await readBack(session, "writer");
  }
  const torn = readdirSync(session.folder).filter((name) => name.startsWith("journal.torn-"));
  const texts = torn.toSorted().map((name) => readFileSync(join(session.folder, name), "utf8"));
  assert.deepEqual(texts, ["half", "another"]);
});

test("every flipped bit is found, and what is read was written [S08]", async () => {
  const session = await writeSession(["a", "b", "c"]);
  const written = session.entries.map((entry) => JSON.stringify(entry));
  for (let bit = 0; bit < session.bytes.length * 8; bit += 7) {
    session.damage(flip(session.bytes, bit));
    const journal = await session.store.open(id, "reader");
    const read = (await entriesOf(journal)).map((entry) => JSON.stringify(entry));
    assert.ok(journal.damage.length > 0, `bit ${bit} was not said`);
    assert.ok(read.length >= 1, `bit ${bit} lost too much`);
    assert.deepEqual(
      read,
      written.filter((line) => read.includes(line)),
    );
  }
});

test("a bad line in the middle is skipped, said and left in the file; a torn end is cut [S08]", async () => {
  const session = await writeSession(["a", "b", "c", "d"]);
  const [a = "", b = "", c = "", d = ""] = session.lines;
  const damaged = [a, b.replace('"b"', '"B"'), c].map((line) => `${line}\n`).join("");
  session.damage(damaged + d.slice(0, 30));
  const expected = { notes: ["a", "c"], damage: ["bad_line 2", "torn_tail 4"] };
  assert.deepEqual(await readBack(session), expected);
  assert.deepEqual(await readBack(session, "writer"), expected);
  assert.equal(readFileSync(session.path, "utf8"), damaged);
  const journal = await session.store.open(id, "writer");
  await journal.append([note("e")]);
  await journal.close();
  assert.deepEqual(await readBack(session), { notes: ["a", "c", "e"], damage: ["bad_line 2"] });
});

test("half a line with the next one glued to it loses the half only; the session stays listed [S07]", async () => {
  const session = await writeSession(["a", "b", "c"]);
  const [a = "", b = "", c = ""] = session.lines;
  session.damage(`${a}\n${b.slice(0, 40)}${c}\n`);
  assert.deepEqual(await readBack(session), { notes: ["a", "c"], damage: ["bad_line 2"] });
  assert.equal((await session.store.list())[0]?.id, id);
});

test("a session torn in the middle of a line takes a turn and stays whole and listed [S07]", async () => {
  const session = await writeSession(["a", "b"]);
  session.damage(session.bytes.subarray(0, -20));
  assert.equal((await session.store.list())[0]?.id, id);
  const journal = await session.store.open(id, "writer");
  await journal.append([note("c"), note("d")]);
  await journal.close();
  assert.deepEqual(await readBack(session), { notes: ["a", "c", "d"], damage: [] });
  assert.equal((await session.store.list())[0]?.id, id);
});

const arrangements: readonly {
  readonly title: string;
  readonly change: (lines: readonly string[]) => string | Buffer;
  readonly notes: readonly string[];
  readonly damage: readonly string[];
}[] = [
  {
    title: "a line that was taken out",
    change: ([a = "", , c = ""]) => `${a}\n${c}\n`,
    notes: ["a", "c"],
    damage: ["broken_chain 2"],
  },
  {
    title: "a line that stands twice [S13]",
    change: ([a = "", b = "", c = ""]) => `${a}\n${b}\n${b}\n${c}\n`,
    notes: ["a", "b", "c"],
    damage: ["bad_line 3"],
  },
  {
    title: "a line that was changed and summed anew",
    change: ([a = "", b = "", c = ""]) =>
      `${a}\n${summed(headOf(b).replace('"b"', '"x"'))}\n${c}\n`,
    notes: ["a", "x", "c"],
    damage: ["broken_chain 3"],
  },
  {
    title: "a last line from another writer with the same number [S13]",
    change: ([a = "", b = "", c = ""]) =>
      `${a}\n${b}\n${c}\n${summed(headOf(c).replace('"c"', '"x"'))}\n`,
    notes: ["a", "b", "c"],
    damage: ["bad_line 4"],
  },
  {
    title: "lines in the wrong order",
    change: ([a = "", b = "", c = ""]) => `${a}\n${c}\n${b}\n`,
    notes: ["a", "c"],
    damage: ["broken_chain 2", "bad_line 3"],
  },
  {
    title: "bytes that are no UTF-8, with a right sum",
    change: ([a = "", b = "", c = ""]) =>
      Buffer.concat([
        Buffer.from(`${a}\n`),
        summedBytes(Buffer.from(headOf(b).replace('"b"', '"\u00ff"'), "latin1")),
        Buffer.from(`\n${c}\n`),
      ]),
    notes: ["a", "c"],
    damage: ["bad_line 2"],
  },
  {
    title: "a line of zeros and a line of binary noise",
    change: ([a = "", b = "", c = ""]) => `${a}\n${"\0".repeat(5000)}\n${b}\n\u0001\u001f\n${c}\n`,
    notes: ["a", "b", "c"],
    damage: ["bad_line 2", "bad_line 4"],
  },
  {
    title: "empty lines, which are no damage",
    change: ([a = "", b = "", c = ""]) => `\n${a}\n\n\n${b}\n${c}\n\n`,
    notes: ["a", "b", "c"],
    damage: [],
  },
  {
    title: "a line longer than any may be",
    change: ([a = "", b = "", c = ""]) => `${a}\n${"x".repeat(17 * 1024 * 1024)}\n${b}\n${c}\n`,
    notes: ["a", "b", "c"],
    damage: ["bad_line 2"],
  },
  {
    title: "values that are JSON and no entries",
    change: ([a = "", b = "", c = ""]) =>
      [a, "null", "[]", summed('{"v":1'), summed('{"v":0,"seq":2'), b, c, ""].join("\n"),
    notes: ["a", "b", "c"],
    damage: ["bad_line 2", "bad_line 3", "bad_line 4", "bad_line 5"],
  },
];

for (const { title, change, notes, damage } of arrangements) {
  test(`reading gets over ${title}`, async () => {
    const session = await writeSession(["a", "b", "c"]);
    session.damage(change(session.lines));
    assert.deepEqual(await readBack(session), { notes, damage });
    assert.deepEqual(await readBack(session, "writer"), { notes, damage });
    const journal = await session.store.open(id, "writer");
    await journal.append([note("next")]);
    await journal.close();
    const after = await readBack(session);
    assert.deepEqual(after, { notes: [...notes, "next"], damage });
  });
}

test("an empty file, or one with half a first line, is an empty journal", async () => {
  const session = await writeSession(["a"]);
  for (const text of ["", "\n\n", session.lines[0]?.slice(0, 50) ?? ""]) {
    session.damage(text);
    assert.deepEqual((await readBack(session, "writer")).notes, []);
    assert.equal(readFileSync(session.path, "utf8"), "");
    const journal = await session.store.open(id, "writer");
    const [entry] = await journal.append([note("first")]);
    assert.equal(entry?.seq, 1);
    await journal.close();
    assert.deepEqual(await readBack(session), { notes: ["first"], damage: [] });
  }
});

test("a file without one intact line is refused, left alone and still listed [S07]", async () => {
  const session = await writeSession(["a"]);
  for (const text of ["not a journal\n", `${session.lines[0]?.replace("a", "b")}\n`, "\0\n\0\n"]) {
    session.damage(text);
    for (const mode of ["reader", "writer"] as const) {
      await assert.rejects(session.store.open(id, mode), (error) =>
        isPawlError(error, "journal_unreadable"),
      );
    }
    assert.equal(readFileSync(session.path, "utf8"), text);
    assert.equal((await session.store.list())[0]?.id, id);
  }
});

test("a journal of a later version is refused, says which to install, and is left alone", async () => {
  const session = await writeSession(["a", "b"]);
  const resumed = `{"v":2,"seq":3,"at":0,"prev":"","fact":{"type":"session.resumed","program":"pawl/9.8.7"}`;
  const text = `${session.bytes.toString()}${summed(resumed)}\n`;
  session.damage(text);
  for (const mode of ["reader", "writer"] as const) {
    await assert.rejects(
      session.store.open(id, mode),
      (error) => isPawlError(error, "journal_newer") && error.message.includes("pawl/9.8.7"),
    );
  }
  assert.equal(readFileSync(session.path, "utf8"), text);
});

test("a flipped bit in the version is damage, not a later version", async () => {
  const session = await writeSession(["a", "b", "c"]);
  const [a = "", b = "", c = ""] = session.lines;
  session.damage(`${a}\n${b.replace('{"v":1', '{"v":3')}\n${c}\n`);
  assert.deepEqual(await readBack(session), { notes: ["a", "c"], damage: ["bad_line 2"] });
});

test("a journal that was emptied is told from a new one, and is written on", async () => {
  const session = await writeSession(["a", "b"]);
  session.damage("");
  // As if it had happened an hour after the session was made.
  const later = Date.now() / 1000 + 3600;
  utimesSync(session.path, later, later);
  const reader = await session.store.open(id, "reader");
  assert.deepEqual(
    reader.damage.map(({ kind, line }) => ({ kind, line })),
    [{ kind: "emptied", line: 0 }],
  );
  const journal = await session.store.open(id, "writer");
  assert.match(journal.damage[0]?.message ?? "", /all its steps are lost/);
  await journal.append([note("c")]);
  await journal.close();
  assert.deepEqual((await session.store.open(id, "reader")).damage, []);
});

test("a session in which nothing was written yet is no damage", async () => {
  const { store, cwd } = makeHome();
  await (await store.create({ id, cwd })).close();
  assert.deepEqual((await store.open(id, "writer")).damage, []);
});
