import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hash, PawlError, resultOfRun, text, type Image } from "#core";
import type { Damage, Journal, ModelRequest } from "#runtime";
import { answer, memory, prompt, rig } from "./rig.ts";

const hashOf = (bytes: string | Buffer): ReturnType<typeof hash> =>
  hash(createHash("sha256").update(bytes).digest("hex"));

/** The same journal, as if something had happened to it on disk. */
const damaged = (
  journal: Journal,
  how: { readonly lost?: ReadonlySet<string>; readonly damage?: readonly Damage[] },
): Journal => ({
  ...journal,
  damage: how.damage ?? [],
  get seq() {
    return journal.seq;
  },
  getBlob: (blob) =>
    how.lost?.has(blob) === true
      ? Promise.reject(new PawlError("blob_missing", "It is gone."))
      : journal.getBlob(blob),
});

const lines = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap(({ blocks }) =>
    blocks.map((block) =>
      block.type === "text" && typeof block.text === "string" ? block.text : block.type,
    ),
  );

const long = "x".repeat(70_000);
const pixels = Buffer.from([1, 2, 3]);
const image: Image = { type: "image", mediaType: "image/png", data: pixels.toString("base64") };

test("a lost text and a lost image become notes: the session goes on, and the user is told once", async () => {
  const journal = await memory();
  const first = await (await rig({ turns: [answer("seen")], journal })).start();
  await first.send({ type: "prompt", blocks: [text(long), image, text("see")] });
  await first.settled();
  const lost = new Set<string>([hashOf(long), hashOf(pixels)]);
  const made = await rig({
    turns: [answer("still here"), answer("again")],
    journal: damaged(journal, { lost }),
  });
  const session = await made.start();
  await session.send(prompt("go on"));
  const { state } = await session.settled();
  assert.equal(resultOfRun(state).outcome, "completed");
  assert.deepEqual(lines(made.requests[0]), [
    "[content lost: 70000 bytes are missing or damaged on disk]",
    "[content lost: 3 bytes are missing or damaged on disk]",
    "see",
    "seen",
    "go on",
  ]);
  assert.equal(state.prompt.warnings.length, 2);
  assert.match(state.prompt.warnings.join(), /missing or damaged on disk \(blob /);
  await session.send(prompt("and on"));
  assert.deepEqual((await session.settled()).state.prompt.warnings, []);
  assert.equal(made.requests[1]?.messages[0], made.requests[0]?.messages[0]);
});

test("after damage in the middle the model is told with the next prompt, once", async () => {
  const damage: readonly Damage[] = [{ kind: "bad_line", line: 7, message: "Line 7 is damaged." }];
  const journal = await memory();
  const broken = damaged(journal, { damage });
  const first = await rig({ turns: [answer("one"), answer("two")], journal: broken });
  const session = await first.start();
  await session.send(prompt("go"));
  await session.settled();
  await session.send(prompt("on"));
  await session.settled();
  const second = await rig({ turns: [answer("three")], journal: damaged(journal, { damage }) });
  const again = await second.start();
  await again.send(prompt("more"));
  await again.settled();
  const told = lines(second.requests[0]).filter((line) => line.includes("was damaged on disk"));
  assert.equal(told.length, 1);
  assert.equal(lines(first.requests[0]).indexOf(told[0] ?? ""), 1);
});

test("a torn end is nothing to tell the model of", async () => {
  const damage: readonly Damage[] = [{ kind: "torn_tail", line: 7, message: "It was torn." }];
  const made = await rig({ turns: [answer("one")], journal: damaged(await memory(), { damage }) });
  const session = await made.start();
  await session.send(prompt("go"));
  await session.settled();
  assert.deepEqual(lines(made.requests[0]), ["go"]);
});
