import assert from "node:assert/strict";
import { test } from "node:test";

import { outputQueue } from "../../../src/ui/terminal/output.ts";

/** Two streams that write down what reaches them. */
function streams(): {
  readonly written: readonly string[];
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => Promise<void>;
} {
  const written: string[] = [];
  const stream = (name: string) => async (text: string) => void written.push(`${name}: ${text}`);
  return { written, out: stream("out"), err: stream("err") };
}

test("what is written in one turn of the event loop leaves in one write, in order", async () => {
  const { written, out, err } = streams();
  const queue = outputQueue();
  for (const text of ["a", "b"]) void queue.add(err, text);
  void queue.add(out, "c");
  void queue.add(err, "d");
  assert.deepEqual(written, []);
  await queue.drained();
  assert.deepEqual(written, ["err: ab", "out: c", "err: d"]);
});

test("a writer waits when much is on its way, and not before", async () => {
  const { written, out } = streams();
  const queue = outputQueue();
  await queue.add(out, "little");
  const before = [...written];
  await queue.add(out, "x".repeat(100_000));
  assert.deepEqual([before.length, written.length], [0, 1]);
});

test("what is written while something leaves follows it", async () => {
  const { written, out } = streams();
  const queue = outputQueue();
  void queue.add(async (text) => {
    await out(text);
    void queue.add(out, "second");
  }, "first");
  await queue.drained();
  assert.deepEqual(written, ["out: first", "out: second"]);
});
