import { growth } from "./growth.ts";
import { interleaved, oneReadATurn } from "./interleave.ts";
import {
  atMost,
  counted,
  gaps,
  gapTitle,
  timesFloor,
  windowAt,
  type Line,
  type Pair,
} from "./line.ts";
import type { Profile } from "./profile.ts";
import { run, type Bench, type Run } from "./run.ts";
import { median } from "./statistics.ts";
import { wholeLines } from "./whole-lines.ts";

/** One long session, looked at at its beginning and its end. */
export async function longLines(bench: Bench, profile: Profile): Promise<readonly Line[]> {
  const { longTurns, longRounds } = profile;
  const pair = await interleaved(bench, oneReadATurn(longTurns), longRounds);
  return [
    ...wholeLines(pair, longTurns),
    ...[10, 100, 300, 2000]
      .filter((turn) => turn <= longTurns)
      .flatMap((turn) => gapLines(pair, turn, longTurns)),
    ...growthLines(pair, longTurns),
    ...(await resumeLines(bench, profile, pair.pawl)),
  ];
}

/** What it takes to go on with a long session, beyond the start of a new one. */
async function resumeLines(
  bench: Bench,
  { runRounds, longTurns }: Profile,
  [left]: readonly Run[],
): Promise<readonly Line[]> {
  if (left === undefined) return [];
  const task = oneReadATurn(1);
  const fresh: number[] = [];
  const resumed: number[] = [];
  for (let round = 0; round < runRounds; round += 1) {
    fresh.push((await run(bench, "pawl", task)).startMs);
    resumed.push((await run(bench, "pawl", { ...task, resume: left.home })).startMs);
  }
  return [
    {
      id: "resume",
      title: `going on with ${counted(longTurns, "turn")}, more than a new start`,
      unit: "ms",
      floor: null,
      pawl: median(resumed) - median(fresh),
      goal: atMost(300),
    },
  ];
}

function gapLines(pair: Pair, turn: number, turns: number): readonly Line[] {
  const window = windowAt(turn, turns);
  const title = `${gapTitle}, turn ${turn.toLocaleString("en")}`;
  const p50 = gaps(pair, window, 0.5);
  const p95 = gaps(pair, window, 0.95);
  return [
    { id: `gap-${turn}-p50`, title: `${title}: p50`, unit: "ms", ...p50, goal: timesFloor(2.1) },
    { id: `gap-${turn}-p95`, title: `${title}: p95`, unit: "ms", ...p95, goal: null },
  ];
}

/** What Pawl adds to the floor at the beginning and at the end of a long session. */
function growthLines(pair: Pair, turns: number): readonly Line[] {
  const added = (turn: number): number => {
    const { floor, pawl } = gaps(pair, windowAt(turn, turns), 0.5);
    return pawl - (floor ?? 0);
  };
  const journal = (turn: number): number => {
    const { from, to } = windowAt(turn, turns);
    return median(pair.pawl.flatMap((one) => one.journalBytes.slice(from, to)));
  };
  return [
    ...growth("added-time", {
      title: "time Pawl adds to a turn",
      unit: "ms",
      at: [10, turns],
      of: added,
    }),
    ...growth("journal", {
      title: "journal of a turn",
      unit: "bytes",
      at: [10, turns],
      of: journal,
    }),
  ];
}
