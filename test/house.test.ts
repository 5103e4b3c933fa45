import assert from "node:assert/strict";
import { test } from "node:test";

test("the command line is behind one lazy import", async () => {
  const { main } = await import("#ui");
  assert.equal(typeof main, "function");
});
