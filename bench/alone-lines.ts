import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";
import { growth } from "./growth.ts";
import { atMost, windowAt, type Line } from "./line.ts";
import type { Profile } from "./profile.ts";
import type { Bench } from "./run.ts";
import { median } from "./statistics.ts";

/** The loop by itself, and opening again what it has written. */
export async function aloneLines({ workplace }: Bench, profile: Profile): Promise<readonly Line[]> {
  const { longTurns, longRounds } = profile;
  const runs: (readonly number[])[] = [];
  const opens: number[] = [];
  for (let round = 0; round < longRounds; round += 1) {
    const home = workplace.newHome();
    runs.push(await measured(["loop-alone.ts", home, `${longTurns}`], workplace.cwd));
    for (let again = 0; again < 3; again += 1) {
      opens.push(...[await measured(["reopen.ts", home], workplace.cwd)].flat());
    }
  }
  const of = (turn: number): number => {
    const { from, to } = windowAt(turn, longTurns);
    return median(runs.flatMap((gapsMs) => gapsMs.slice(from, to)));
  };
  return [
    ...growth("alone", {
      title: "a turn of the loop alone, read and journal included",
      unit: "ms",
      at: [100, longTurns],
      of,
    }),
    {
      id: "reopen",
      title: `opening a session of ${longTurns} turns`,
      unit: "ms",
      floor: null,
      pawl: median(opens),
      goal: atMost(300),
    },
  ];
}

async function measured([file = "", ...args]: readonly string[], cwd: string): Promise<number[]> {
  const path = join(ROOT, "bench", file);
  const { stdout } = await runNode({ args: [path, ...args], cwd, env: {}, usageFile: null });
  const value: unknown = JSON.parse(stdout);
  return [value].flat().filter((item) => typeof item === "number");
}
