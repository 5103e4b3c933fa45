import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { benchIn, type Workbench } from "./bench.ts";

export {
  open,
  said,
  sha256,
  start,
  use,
  type RunOptions,
  type Started,
  type Workbench,
} from "./bench.ts";

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A workspace in a temporary folder, removed after the tests of the file. */
export function workbench(files: Readonly<Record<string, string>> = {}): Workbench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-tools-")));
  made.push(root);
  return benchIn(root, files);
}
