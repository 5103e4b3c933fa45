import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject, ToolEnd } from "#core";
import type { Workbench } from "./bench.ts";

/** The user `nobody` of Debian. */
export const nobody = 65_534;

/** Makes a file nobody's own; who is not root owns what the test made already. */
export function giveToNobody(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, nobody, nobody);
}

/** Root may do everything, so rights are tested in a process that gave root's rights up. */
export function endsOfNobody(
  calls: readonly (readonly [tool: string, input: JsonObject])[],
  bench: Workbench,
): readonly ToolEnd[] {
  chmodSync(dirname(bench.cwd), 0o777);
  chmodSync(bench.cwd, 0o777);
  const child = spawnSync(process.execPath, [join(import.meta.dirname, "as-nobody.ts")], {
    input: JSON.stringify({ cwd: bench.cwd, calls }),
    encoding: "utf8",
  });
  assert.equal(child.status, 0, child.stderr);
  return JSON.parse(child.stdout);
}
