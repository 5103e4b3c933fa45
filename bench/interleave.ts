import type { Pair } from "./line.ts";
import { run, type Bench, type Run, type Task } from "./run.ts";
import { smallReads } from "./workplace.ts";

/** Runs of both subjects, in turns: what troubles the machine troubles both. */
export async function interleaved(bench: Bench, task: Task, rounds: number): Promise<Pair> {
  const floor: Run[] = [];
  const pawl: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await run(bench, "floor", task));
    pawl.push(await run(bench, "pawl", task));
  }
  return { floor, pawl };
}

/** Each reply but the last asks for one small file. */
export const oneReadATurn = (turns: number): Task => ({
  turns,
  calls: (turn) => smallReads(1, turn),
});
