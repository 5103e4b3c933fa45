import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

test("R11 R13 the loop on one page calls the model, runs the tool it asked for, and ends with an answer", () => {
  const output = execFileSync(process.execPath, ["examples/loop.ts"], { encoding: "utf8" });
  assert.deepEqual(output.trim().split(/\s*\n\s*/), [
    "session.started",
    "input.received",
    "request.started",
    "response.received",
    "permission.decided",
    "tool.started",
    "tool.finished",
    "request.started",
    "response.received",
    "Now you know.",
  ]);
});
