import { aloneLines } from "./alone-lines.ts";
import { editLines } from "./edit-lines.ts";
import type { Line } from "./line.ts";
import { longLines } from "./long-lines.ts";
import { longReplyLines } from "./long-reply-lines.ts";
import { packageLines } from "./package-lines.ts";
import type { Profile } from "./profile.ts";
import { bigResultLines, commandLines, fiveReadLines } from "./reply-lines.ts";
import type { Bench } from "./run.ts";
import { firstStartLines, loadedLines, startLines, versionLines } from "./start-lines.ts";
import { wholeRun } from "./whole-lines.ts";

/** One part of the table, measured by itself. */
export interface Step {
  readonly title: string;
  readonly measure: (bench: Bench, profile: Profile) => Promise<readonly Line[]>;
}

/** In the order of the table. The first start fills the compile cache that all later runs find. */
export const steps: readonly Step[] = [
  { title: "--version", measure: versionLines },
  { title: "a first start", measure: firstStartLines },
  { title: "one turn", measure: startLines },
  { title: "loaded code", measure: loadedLines },
  { title: "10 turns", measure: (bench, { runRounds }) => wholeRun(bench, 10, runRounds) },
  { title: "100 turns", measure: (bench, { runRounds }) => wholeRun(bench, 100, runRounds) },
  { title: "a long session", measure: longLines },
  { title: "five reads in one reply", measure: fiveReadLines },
  { title: "results of 100 kB", measure: bigResultLines },
  { title: "shell commands", measure: commandLines },
  { title: "long replies", measure: longReplyLines },
  { title: "edits of big files", measure: editLines },
  { title: "the loop without a wire", measure: aloneLines },
  { title: "the package", measure: packageLines },
];
