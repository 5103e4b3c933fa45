import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

import { fold, type Entry, type Fact, type State } from "#core";

/** A journal as a stranger reads it from disk, with nothing of the store's own code. */
export interface JournalOnDisk {
  readonly folder: string;
  readonly entries: readonly Entry[];
  readonly facts: readonly Fact[];
  readonly state: State;
  /** What is wrong with its form; a half-written last line is not. */
  readonly problems: readonly string[];
}

/** The journals under a PAWL_HOME, in order of their folders. */
export function readJournals(home: string): readonly JournalOnDisk[] {
  return globSync("sessions/*/*/journal.jsonl", { cwd: home })
    .toSorted()
    .map((path) => readJournal(join(home, path)));
}

function readJournal(path: string): JournalOnDisk {
  const whole = existsSync(path) ? readFileSync(path, "utf8") : "";
  // What follows the last newline was not finished; the next writer cuts it off.
  const lines = whole.split("\n").slice(0, -1);
  const problems: string[] = [];
  let prev = "0".repeat(32);
  const entries = lines.flatMap((line, index) => {
    const problem = problemOf(line, { seq: index + 1, prev });
    prev = createHash("sha256").update(line).digest("hex").slice(0, 32);
    if (problem === null) return [JSON.parse(line) as Entry]; // its form was checked by its sum
    problems.push(`journal line ${index + 1}: ${problem}`);
    return [];
  });
  const { state, refused } = fold(entries);
  problems.push(...refused.map((one) => `entry ${one.index + 1} cannot be: ${one.reason}`));
  const facts = entries.map((entry) => entry.fact);
  return { folder: join(path, ".."), entries, facts, state, problems };
}

function problemOf(
  line: string,
  expected: { readonly seq: number; readonly prev: string },
): string | null {
  const found =
    /^\{"v":1,"seq":(\d+),"at":\d+,"prev":"([0-9a-f]{32})",.*,"sum":"([0-9a-f]{8})"\}$/s;
  const [, seq, prev, sum] = found.exec(line) ?? [];
  if (sum === undefined) return "has another form";
  const summed = crc32(line.slice(0, line.lastIndexOf(',"sum":')))
    .toString(16)
    .padStart(8, "0");
  if (sum !== summed) return `its sum is ${sum}, not ${summed}`;
  if (prev !== expected.prev) return "does not follow the line before it";
  return Number(seq) === expected.seq ? null : `is entry ${seq}, not ${expected.seq}`;
}
