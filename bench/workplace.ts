import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import type { WantedCall } from "./replies.ts";

/** A folder of our own under the system's temporary one: what the subjects read, and where they write. */
export interface Workplace extends Disposable {
  /** Where the subjects work. */
  readonly cwd: string;
  /** The floor as plain JavaScript. */
  readonly floorFile: string;
  /** An empty file for an empty Node. */
  readonly emptyFile: string;
  readonly usageFile: string;
  /** A fresh home for one run, with the compile cache that was kept, if any. */
  newHome(): string;
  /** From now on new homes begin with the compile cache that a run has left in this one. */
  keepCache(home: string): void;
}

const smallFiles = 10;
const smallText = "a line of an ordinary source file\n".repeat(20);
const bigText = "a line of a file that is rather long for a single look at it\n".repeat(330);

/** `reads` calls of small files (680 bytes); which ones depends on the turn. */
export const smallReads = (reads: number, turn: number): readonly WantedCall[] =>
  Array.from({ length: reads }, (_, index) => ({
    tool: "read",
    input: { path: `small-${(turn + index) % smallFiles}.txt` },
  }));

/** Five reads of 20 kB: a result of 100 kB a turn, below the most that one read gives. */
export const bigReads = (): readonly WantedCall[] =>
  Array.from({ length: 5 }, (_, index) => ({
    tool: "read",
    input: { path: `big-${index}.txt` },
  }));

export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), "pawl-bench-"));
  const cwd = join(folder, "workspace");
  mkdirSync(cwd);
  for (let index = 0; index < smallFiles; index += 1) {
    writeFileSync(join(cwd, `small-${index}.txt`), smallText);
    writeFileSync(join(cwd, `big-${index}.txt`), bigText);
  }
  const floorFile = join(folder, "floor.mjs");
  const source = readFileSync(join(ROOT, "bench", "floor.ts"), "utf8");
  writeFileSync(floorFile, stripTypeScriptTypes(source));
  const emptyFile = join(folder, "empty.cjs");
  writeFileSync(emptyFile, "");
  const kept = join(folder, "compile-cache");
  return {
    cwd,
    floorFile,
    emptyFile,
    usageFile: join(folder, "usage.json"),
    newHome() {
      const home = mkdtempSync(join(folder, "home-"));
      if (existsSync(kept)) cpSync(kept, join(home, "cache"), { recursive: true });
      return home;
    },
    keepCache: (home) => cpSync(join(home, "cache"), kept, { recursive: true }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
