import { interleaved } from "./interleave.ts";
import { gaps, gapTitle, timesFloor, type Line } from "./line.ts";
import type { Profile } from "./profile.ts";
import type { WantedCall } from "./replies.ts";
import type { Bench, Task } from "./run.ts";
import { bigReads, smallReads } from "./workplace.ts";

export async function fiveReadLines(
  bench: Bench,
  { runRounds }: Profile,
): Promise<readonly Line[]> {
  const task: Task = { turns: 60, calls: (turn) => smallReads(5, turn) };
  const pair = await interleaved(bench, task, runRounds);
  const title = `${gapTitle}, five reads: p50`;
  const p50 = gaps(pair, { from: 20, to: 59 }, 0.5);
  return [{ id: "gap-five-reads", title, unit: "ms", ...p50, goal: timesFloor(2.1) }];
}

export async function bigResultLines(
  bench: Bench,
  { runRounds }: Profile,
): Promise<readonly Line[]> {
  const pair = await interleaved(bench, { turns: 40, calls: bigReads }, runRounds);
  const title = `${gapTitle}, results of 100 kB: p50`;
  const p50 = gaps(pair, { from: 10, to: 39 }, 0.5);
  return [{ id: "gap-big", title, unit: "ms", ...p50, goal: timesFloor(1.5) }];
}

/** A command that does next to nothing: what is measured is how it is started, watched and ended. */
export async function commandLines(bench: Bench, { runRounds }: Profile): Promise<readonly Line[]> {
  const calls = (): readonly WantedCall[] => [{ tool: "bash", input: { command: "echo done" } }];
  const pair = await interleaved(bench, { turns: 60, calls }, runRounds);
  const title = `${gapTitle}, a shell command: p50`;
  const p50 = gaps(pair, { from: 20, to: 59 }, 0.5);
  return [{ id: "gap-command", title, unit: "ms", ...p50, goal: timesFloor(1.4) }];
}
