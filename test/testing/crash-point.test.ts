import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { crashPointFrom } from "#testing";

const folder = mkdtempSync(join(tmpdir(), "pawl-crash-"));
after(() => rmSync(folder, { recursive: true }));

test("without its variables there is no crash point", () => {
  assert.equal(crashPointFrom({}), undefined);
  assert.equal(crashPointFrom({ PAWL_CRASH_AT: "", PAWL_CRASH_LOG: "" }), undefined);
});

test("the log names every point that was passed, in order", () => {
  const log = join(folder, "passed");
  const crash = crashPointFrom({ PAWL_CRASH_LOG: log });
  for (const name of ["a", "b", "a"]) crash?.(name);
  assert.equal(readFileSync(log, "utf8"), "a\nb\na\n");
});

/** By itself: its neighbours would make each start slow. */
const crashPointFile = new URL("../../src/adapters/system/crash-point.ts", import.meta.url).href;

const program = `
  import { crashPointFrom } from ${JSON.stringify(crashPointFile)};
  import { writeSync } from "node:fs";
  const crash = crashPointFrom(process.env);
  for (const name of ["a", "b", "a", "b", "a"]) { crash?.(name); writeSync(1, name); }
`;

for (const [at, output] of [
  ["a", ""],
  ["b#1", "a"],
  ["a#3", "abab"],
] as const) {
  test(`PAWL_CRASH_AT=${at} kills the process hard after "${output}"`, () => {
    const child = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", program], {
      env: { ...process.env, PAWL_CRASH_AT: at },
      encoding: "utf8",
    });
    assert.equal(child.signal, "SIGKILL");
    assert.equal(child.stdout, output);
  });
}

test("a count that is never reached kills nothing", () => {
  const child = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", program], {
    env: { ...process.env, PAWL_CRASH_AT: "a#4" },
    encoding: "utf8",
  });
  assert.equal(child.status, 0);
  assert.equal(child.stdout, "ababa");
});
