import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isPawlError, sessionId, type Fact } from "#core";
import { jsonlStore } from "#adapters/stores";
import { networkFuseKind } from "../../../src/adapters/stores/jsonl/local-disk.ts";
import { clock, id, makeHome, otherId, readBack, writeSession } from "./sessions-on-disk.ts";

test("sessions lie below the home they are given, in folders of their own (R72)", async () => {
  const { home, cwd, store } = makeHome();
  const journal = await store.create({ id, cwd });
  await journal.close();
  assert.match(
    (journal.folder ?? "").slice(home.length),
    /^\/sessions\/pawl-home-\w+-[0-9a-f]{24}\/01KB9X5C00AAAAAAAAAAAAAAAA$/,
  );
  assert.deepEqual(readdirSync(journal.folder ?? "").toSorted(), [
    "blobs",
    "journal.jsonl",
    "lock",
    "runs",
    "session.json",
    "spool",
  ]);
});

test("making a store touches nothing", () => {
  const { home } = makeHome();
  jsonlStore({ home: join(home, "never"), clock });
  assert.deepEqual(readdirSync(home), []);
});

test("folders that look alike have their own sessions [S17]", async () => {
  const { home, store } = makeHome();
  const long = "long".repeat(20);
  const names = [
    "a_b",
    "a-b",
    "a.b",
    "a b",
    "A_B",
    "a_b ",
    "é",
    "e\u0301",
    "项目",
    long,
    `${long}x`,
  ];
  const deep = join(home, ...Array.from({ length: 5 }, () => long));
  const folders = [
    ...names.map((name) => join(home, name)),
    join(deep, "same-end"),
    join(deep, long, "same-end"),
  ];
  const made: string[] = [];
  for (const [index, cwd] of folders.entries()) {
    mkdirSync(cwd, { recursive: true });
    const journal = await store.create({ id: sessionId(`S${index}`), cwd });
    made.push(dirname(journal.folder ?? ""));
    await journal.close();
  }
  assert.equal(new Set(made).size, folders.length);
  for (const [index, cwd] of folders.entries()) {
    const listed = (await store.list({ cwd })).map((info) => [info.id, info.cwd]);
    assert.deepEqual(listed, [[`S${index}`, cwd]]);
  }
});

test("a folder is known by its real path, and its sessions outlive it [S17]", async () => {
  const { home, store } = makeHome();
  const real = join(home, "real", "project");
  const link = join(home, "link");
  mkdirSync(real, { recursive: true });
  symlinkSync(join(home, "real"), link);
  await (await store.create({ id, cwd: join(link, "project") })).close();
  assert.equal((await store.list({ cwd: real }))[0]?.cwd, real);
  rmdirSync(real);
  for (const cwd of [real, join(link, "project")]) {
    assert.deepEqual(
      (await store.list({ cwd })).map((info) => info.id),
      [id],
    );
  }
});

const facts: readonly Fact[] = [
  { type: "session.forked", sessionId: otherId, from: { sessionId: id, seq: 1 }, cwd: "/fork" },
];

for (const [what, damage] of [
  ["missing", (path: string) => rmSync(path)],
  ["empty", (path: string) => truncateSync(path, 0)],
  ["not JSON", (path: string) => writeFileSync(path, "{")],
  ["of another form", (path: string) => writeFileSync(path, '{"v":1,"cwd":7}')],
] as const) {
  test(`a session.json that is ${what} is only a cache: the journal says it too [S10]`, async () => {
    const { cwd, store } = makeHome();
    const journal = await store.create({ id, cwd });
    await journal.append(facts.map((fact) => ({ at: 1_700_000_000_000, fact })));
    await journal.close();
    damage(join(journal.folder ?? "", "session.json"));
    const [info] = await store.list();
    assert.deepEqual([info?.id, info?.cwd, info?.createdAt], [id, "/fork", 1_700_000_000_000]);
    assert.ok(Number.isInteger(info?.updatedAt));
    await (await store.open(id, "writer")).close();
  });
}

test("a list reads the head of a journal only, and cuts a long title", async () => {
  const { cwd, store } = makeHome();
  const journal = await store.create({ id, cwd });
  const text = `${"long prompt 😀 ".repeat(1000)}`;
  await journal.append([
    {
      at: 1,
      fact: {
        type: "input.received",
        input: JSON.parse('"i1"'),
        kind: "prompt",
        blocks: [{ type: "text", text }],
      },
    },
  ]);
  await journal.close();
  const path = join(journal.folder ?? "", "journal.jsonl");
  // A terabyte that takes no room: whoever reads it all does not come back.
  truncateSync(path, 2 ** 40);
  const [info] = await store.list();
  assert.equal(info?.bytes, 2 ** 40);
  assert.ok((info?.title.length ?? 0) <= 100);
  assert.ok(info?.title.isWellFormed());
  assert.match(info?.title ?? "", /^long prompt 😀 .*…$/u);
});

for (const [what, damage] of [
  ["missing", (path: string) => rmSync(path)],
  [
    "a folder",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  [
    "a pipe",
    (path: string) => {
      rmSync(path);
      spawnSync("bash", ["-c", 'mkfifo "$0"', path]);
    },
  ],
] as const) {
  test(`a session whose journal is ${what} is listed and refused, without a hang [S07]`, async () => {
    const session = await writeSession(["a"]);
    damage(session.path);
    assert.equal((await session.store.list())[0]?.id, id);
    for (const mode of ["reader", "writer"] as const) {
      await assert.rejects(session.store.open(id, mode), (error) =>
        isPawlError(error, "journal_unreadable"),
      );
    }
    await session.store.remove(id);
    assert.deepEqual(await session.store.list(), []);
  });
}

test("other things in the sessions folder are no sessions", async () => {
  const session = await writeSession(["a"]);
  const keyFolder = dirname(session.folder);
  writeFileSync(join(dirname(keyFolder), "a file"), "");
  writeFileSync(join(keyFolder, "notes.txt"), "");
  mkdirSync(join(keyFolder, ".draft-x"));
  assert.deepEqual(
    (await session.store.list()).map((info) => info.id),
    [id],
  );
});

test("what a killed process left half made is swept when it is old", async () => {
  const session = await writeSession(["a"]);
  const keyFolder = dirname(session.folder);
  const [old, young] = [join(keyFolder, ".draft-old"), join(keyFolder, ".draft-young")];
  for (const draft of [old, young]) mkdirSync(draft);
  writeFileSync(join(old, "journal.jsonl"), "half");
  utimesSync(old, 0, 0);
  await (await session.store.create({ id: otherId, cwd: session.cwd })).close();
  assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
});

test("a lock file that is none is refused and said, not guessed around", async () => {
  const session = await writeSession(["a"]);
  writeFileSync(join(session.folder, "lock"), "not a lock".repeat(1000));
  await assert.rejects(session.store.open(id, "writer"), (error) =>
    isPawlError(error, "journal_unreadable"),
  );
  assert.deepEqual((await readBack(session)).notes, ["a"]);
  rmSync(join(session.folder, "lock"));
  assert.deepEqual((await readBack(session, "writer")).notes, ["a"]);
  assert.equal(statSync(join(session.folder, "lock")).mode & 0o777, 0o600);
});

test("a home that cannot be a folder is said in plain words", async () => {
  const { home, cwd } = makeHome();
  writeFileSync(join(home, "file"), "");
  const store = jsonlStore({ home: join(home, "file"), clock });
  assert.deepEqual(await store.list(), []);
  await assert.rejects(
    store.create({ id, cwd }),
    (error) => isPawlError(error, "journal_failed") && error.message.includes("not a folder"),
  );
});

test("file systems of the network are told apart from local ones, also behind FUSE", () => {
  const mounts = [
    "/dev/sda1 / ext4 rw 0 0",
    "host:/home /home fuse.sshfs rw 0 0",
    "host:/x /mnt/with\\040blank fuse.rclone rw 0 0",
    "/dev/sdb1 /home/me/disk fuseblk rw 0 0",
    "",
  ].join("\n");
  const kinds = ["/root", "/home/me/.pawl", "/homes/me", "/home/me/disk/x", "/mnt/with blank/x"];
  assert.deepEqual(
    kinds.map((path) => networkFuseKind(path, mounts)),
    [null, "fuse.sshfs", null, null, "fuse.rclone"],
  );
});
