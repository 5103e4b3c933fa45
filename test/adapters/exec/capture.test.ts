import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";

import { capture, show } from "../../../src/adapters/exec/capture.ts";
import { showProgress } from "../../../src/adapters/exec/progress.ts";

/** What is shown of these pieces, with so many characters. */
function shown(pieces: readonly Uint8Array[], characters: number) {
  const stream = new PassThrough();
  const captured = capture(stream, characters);
  for (const piece of pieces) stream.emit("data", Buffer.from(piece));
  return show(captured.excerpt(), characters);
}

const text = "a\u00e9\u4f60\u{1f600}\ufeffz\n".repeat(3);
const bytes = Buffer.from(text);

test("[P01] a text that fits is shown whole, however its bytes are split", () => {
  const splits = Array.from({ length: bytes.length + 1 }, (_, at) =>
    shown([bytes.subarray(0, at), bytes.subarray(at)], 21),
  );

  const whole = { head: text, tail: "", omittedBytes: 0, totalBytes: bytes.length };
  assert.deepEqual(
    splits,
    splits.map(() => whole),
  );
});

test("a text that does not fit is cut between characters, and no byte is lost from the count", () => {
  const cuts = Array.from({ length: 20 }, (_, characters) =>
    shown(
      [...bytes].map((byte) => Buffer.of(byte)),
      characters,
    ),
  );

  assert.deepEqual(
    cuts.map((cut) => [cut.head, cut.tail]),
    cuts.map((_, characters) => {
      const half = Math.floor(characters / 2);
      const all = Array.from(text);
      return [all.slice(0, half).join(""), all.slice(all.length - half).join("")];
    }),
  );
  assert.deepEqual(
    cuts.map((cut) => Buffer.byteLength(cut.head + cut.tail) + cut.omittedBytes),
    cuts.map(() => bytes.length),
  );
});

test("bytes that are no UTF-8 are shown as replacement characters and bounded", () => {
  const noise = Buffer.alloc(100, 0x80);

  assert.equal(shown([noise.subarray(0, 3)], 10).head, "\ufffd\ufffd\ufffd");
  assert.deepEqual(shown([noise], 10), {
    head: "\ufffd".repeat(5),
    tail: "\ufffd".repeat(5),
    omittedBytes: 90,
    totalBytes: 100,
  });
});

test("progress comes every 50 ms, whole characters only, and skips what is too much", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const stream = new PassThrough();
  const seen: string[] = [];
  const stop = showProgress(stream, (text) => seen.push(text));

  stream.emit("data", bytes.subarray(0, 5));
  context.mock.timers.tick(50);
  stream.emit("data", bytes.subarray(5, 7));
  context.mock.timers.tick(50);
  stream.emit("data", Buffer.from("\u4f60".repeat(10_000)));
  stop();
  stream.emit("data", Buffer.from("late"));

  assert.deepEqual(seen, ["a\u00e9", "\u4f60", "\u4f60".repeat(5_461)]);
});
