import { interleaved, oneReadATurn } from "./interleave.ts";
import { counted, figure, timesFloor, type Line, type Pair } from "./line.ts";
import type { Bench } from "./run.ts";

export const wholeRun = async (
  bench: Bench,
  turns: number,
  rounds: number,
): Promise<readonly Line[]> =>
  wholeLines(await interleaved(bench, oneReadATurn(turns), rounds), turns);

export function wholeLines(pair: Pair, turns: number): readonly Line[] {
  const title = `whole run of ${counted(turns, "turn")}`;
  const wall = figure(pair, (one) => one.wallMs);
  const cpu = figure(pair, (one) => one.cpuMs);
  const peak = figure(pair, (one) => one.peakBytes / 1e6);
  return [
    { id: `wall-${turns}`, title: `${title}: wall`, unit: "ms", ...wall, goal: null },
    { id: `cpu-${turns}`, title: `${title}: CPU`, unit: "ms", ...cpu, goal: timesFloor(1.7) },
    {
      id: `peak-${turns}`,
      title: `${title}: peak memory`,
      unit: "MB",
      ...peak,
      goal: turns <= 10 ? timesFloor(1.3) : timesFloor(1.25),
    },
  ];
}
