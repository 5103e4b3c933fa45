import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";
import { growth } from "./growth.ts";
import { atMost, counted, type Line } from "./line.ts";
import type { Profile } from "./profile.ts";
import type { Bench } from "./run.ts";
import { median } from "./statistics.ts";

/** The first turn that is compared with the last ones. */
const earlyTurn = 10;

/** The loop by itself, and opening again what it has written. */
export async function aloneLines({ workplace }: Bench, profile: Profile): Promise<readonly Line[]> {
  const { longTurns, longRounds } = profile;
  const early: number[] = [];
  const late: number[] = [];
  const opens: number[] = [];
  for (let round = 0; round < longRounds; round += 1) {
    const home = workplace.newHome();
    const args = [home, `${earlyTurn}`, `${longTurns}`];
    const gapsMs = await printed("loop-alone.ts", args, workplace.cwd);
    early.push(...numbersIn(gapsMs, "early"));
    late.push(...numbersIn(gapsMs, "late"));
    for (let again = 0; again < 3; again += 1) {
      opens.push(Number(await printed("reopen.ts", [home], workplace.cwd)));
    }
  }
  return [
    ...growth("alone", {
      title: "the loop alone, read and journal included",
      unit: "ms",
      at: [earlyTurn, longTurns],
      of: (turn) => median(turn === earlyTurn ? early : late),
    }),
    {
      id: "reopen",
      title: `opening a session of ${counted(longTurns, "turn")}`,
      unit: "ms",
      floor: null,
      pawl: median(opens),
      goal: atMost(300),
    },
  ];
}

/** The JSON that a measured process prints. */
async function printed(file: string, args: readonly string[], cwd: string): Promise<unknown> {
  const path = join(ROOT, "bench", file);
  const { stdout } = await runNode({ args: [path, ...args], cwd, env: {}, usageFile: null });
  return JSON.parse(stdout);
}

function numbersIn(value: unknown, name: string): readonly number[] {
  const list: unknown = Reflect.get(Object(value), name);
  return Array.isArray(list) ? list.filter((item) => typeof item === "number") : [];
}
