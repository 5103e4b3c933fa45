import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { bytesOfText } from "../../../bench/long-reply-lines.ts";
import { wireNames } from "../../../bench/long-reply.ts";

for (const wire of wireNames) {
  test(`${wire}: a text in small pieces streams in less than twice its size [P16]`, async () => {
    const pieces = 60_000;
    const most = await bytesOfText(wire, { cwd: tmpdir(), pieces });
    const size = pieces * "a few words ".length;
    assert.ok(most < 2 * size, `${most} bytes for ${size}`);
  });
}
