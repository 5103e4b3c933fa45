import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { ownCommand } from "../../../src/ui/demo/own-command.ts";

test("the demo names the program by how it can be started: linked or not", () => {
  const root = mkdtempSync(join(tmpdir(), "pawl-own-"));
  const file = join(root, "pawl.cjs");
  writeFileSync(file, "");
  mkdirSync(join(root, "bin"));
  assert.equal(ownCommand(file, join(root, "bin")), `node ${file}`);
  symlinkSync(file, join(root, "bin/pawl"));
  assert.equal(ownCommand(file, `/nowhere::${join(root, "bin")}`), "pawl");
  assert.equal(ownCommand("/a b/pawl.cjs", ""), "node '/a b/pawl.cjs'");
  rmSync(root, { recursive: true });
});
