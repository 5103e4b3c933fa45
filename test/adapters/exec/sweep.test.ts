import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

import { sweep } from "#adapters/exec";
import { isPawlError } from "#core";

test("sweeping ends whatever carries the marker, also below another marker, and nobody else", async () => {
  const start = (call: string) =>
    spawn("sleep", ["60"], {
      env: { PATH: process.env["PATH"], PAWL_CALL: call },
      stdio: "ignore",
    });
  const [own, nested, other] = ["swept__1", "outer_01:swept__1", "swept__10"].map(start);
  const ends = [own, nested].map(async (child) => child && once(child, "exit"));

  const ended = await sweep("swept__1");

  await Promise.all(ends);
  assert.deepEqual([ended, other?.exitCode, other?.signalCode], [2, null, null]);
  other?.kill("SIGKILL");
});

test("sweeping for a marker that could be anybody's is refused", async () => {
  await assert.rejects(sweep(""), (error) => isPawlError(error, "marker_invalid"));
  await assert.rejects(sweep("/usr/bin"), (error) => isPawlError(error, "marker_invalid"));
});
