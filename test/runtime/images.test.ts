import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hash, text, type Image } from "#core";
import type { ModelRequest, TakeImage } from "#runtime";
import { answer, call, calls, facts, memory, prompt, rig, tool } from "./rig.ts";

const pixels = Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]);
const data = pixels.toString("base64");
const image: Image = { type: "image", mediaType: "image/jpeg", data };
const blob = hash(createHash("sha256").update(pixels).digest("hex"));

const look = (shown: Image): ReturnType<typeof tool> =>
  tool({
    name: "look",
    run: () => Promise.resolve({ outcome: "ok", content: [text("a.jpg"), shown], effects: [] }),
  });

const shownIn = (request: ModelRequest | undefined): readonly unknown[] =>
  (request?.messages ?? []).flatMap((message): readonly unknown[] =>
    message.role === "assistant"
      ? message.blocks
      : message.blocks.flatMap((block): readonly unknown[] =>
          block.type === "tool_result" ? block.content : [block],
        ),
  );

test("the bytes of an image lie beside the journal and stand in requests as they came", async () => {
  const journal = await memory();
  const turns = [calls([call("look")]), answer("seen")];
  const made = await rig({ turns, tools: [look(image)], journal });
  const session = await made.start();
  await session.send({ type: "prompt", blocks: [text("see"), image] });
  await session.settled();
  const recorded = JSON.stringify(await facts(journal));
  assert.ok(!recorded.includes(data));
  assert.equal(recorded.split(`{"blob":"${blob}","bytes":6,"base64":true}`).length, 3);
  assert.deepEqual(Buffer.from(await journal.getBlob(blob)), pixels);
  assert.deepEqual(shownIn(made.requests[0]), [text("see"), image]);
  assert.equal(made.requests[1]?.messages[0], made.requests[0]?.messages[0]);
  const [, , , seen] = shownIn(made.requests[1]);
  assert.deepEqual(seen, text("a.jpg"));
});

test("base64 that is not written as ours stays as it is, letter by letter", async () => {
  const journal = await memory();
  const made = await rig({ turns: [answer("seen")], journal });
  const session = await made.start();
  const odd: Image = { ...image, data: "AQI=\n" };
  await session.send({ type: "prompt", blocks: [odd] });
  await session.settled();
  assert.deepEqual(shownIn(made.requests[0]), [odd]);
});

test("every image passes the intake: what it makes of it is recorded, a note where it can make nothing", async () => {
  const takeImage: TakeImage = ({ mediaType }) =>
    Promise.resolve(
      mediaType === "image/jpeg"
        ? { at: "taken", image: { ...image, data: "AAAA" }, note: "[smaller]" }
        : { at: "left_out", why: "it is cut off" },
    );
  const turns = [calls([call("look")]), answer("seen")];
  const made = await rig({ turns, tools: [look({ ...image, mediaType: "image/png" })] });
  Object.assign(made.parts, { takeImage });
  const session = await made.start();
  await session.send({ type: "prompt", blocks: [text("see"), image] });
  await session.settled();
  const smaller = { ...image, data: "AAAA" };
  assert.deepEqual(shownIn(made.requests[0]), [text("see"), smaller, text("[smaller]")]);
  assert.deepEqual(shownIn(made.requests[1]).slice(-2), [
    text("a.jpg"),
    text("[an image is left out: it is cut off]"),
  ]);
});

test("a prompt of text alone waits for no intake", async () => {
  const made = await rig({ turns: [answer("done")] });
  Object.assign(made.parts, { takeImage: () => Promise.reject(new Error("asked for nothing")) });
  const session = await made.start();
  await session.send(prompt("go"));
  assert.equal((await session.settled()).state.phase.at, "stopped");
});
