import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";
import { figure, gaps, windowAt, type Goal, type Line, type Pair } from "./line.ts";
import { packageLines } from "./package-lines.ts";
import { run, type Bench, type Run, type Task } from "./run.ts";
import { median } from "./statistics.ts";
import { bigReads, smallReads } from "./workplace.ts";

/** How much is measured. Rounds are runs of each subject; they alternate. */
export interface Profile {
  /** Of what takes a fraction of a second. */
  readonly startRounds: number;
  /** Of runs up to 100 turns. */
  readonly runRounds: number;
  readonly longRounds: number;
  readonly longTurns: number;
}

export const fullProfile: Profile = {
  startRounds: 21,
  runRounds: 5,
  longRounds: 3,
  longTurns: 2000,
};

export const smokeProfile: Profile = {
  startRounds: 3,
  runRounds: 1,
  longRounds: 1,
  longTurns: 300,
};

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
  { title: "10 turns", measure: (bench, { runRounds }) => wholeRun(bench, 10, runRounds) },
  { title: "100 turns", measure: (bench, { runRounds }) => wholeRun(bench, 100, runRounds) },
  { title: "a long session", measure: longLines },
  { title: "five reads in one reply", measure: fiveReadLines },
  { title: "results of 100 kB", measure: bigResultLines },
  { title: "the loop without a wire", measure: aloneLines },
  { title: "the package", measure: packageLines },
];

const ratio = (atMost: number): Goal => ({ atMost, of: "ratio" });
const value = (atMost: number): Goal => ({ atMost, of: "value" });

async function interleaved(bench: Bench, task: Task, rounds: number): Promise<Pair> {
  const floor: Run[] = [];
  const pawl: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await run(bench, "floor", task));
    pawl.push(await run(bench, "pawl", task));
  }
  return { floor, pawl };
}

const oneReadATurn = (turns: number): Task => ({ turns, calls: (turn) => smallReads(1, turn) });

async function versionLines(
  { workplace }: Bench,
  { startRounds }: Profile,
): Promise<readonly Line[]> {
  const { cwd, emptyFile } = workplace;
  const wall = async (args: readonly string[]): Promise<number> =>
    (await runNode({ args, cwd, env: { PAWL_HOME: cwd }, usageFile: null })).wallMs;
  const floor: number[] = [];
  const pawl: number[] = [];
  for (let round = 0; round < startRounds; round += 1) {
    floor.push(await wall([emptyFile]));
    pawl.push(await wall([join(ROOT, "dist", "bin", "pawl.cjs"), "--version"]));
  }
  return [
    {
      id: "version",
      title: "`--version` (floor: an empty Node)",
      unit: "ms",
      floor: median(floor),
      pawl: median(pawl),
      goal: ratio(1.2),
    },
  ];
}

/** Node compiles every file anew, and keeps what it has compiled for the next start. */
async function firstStartLines(bench: Bench, { runRounds }: Profile): Promise<readonly Line[]> {
  const pair = await interleaved(bench, oneReadATurn(1), runRounds);
  const [first] = pair.pawl;
  if (first !== undefined) bench.workplace.keepCache(first.home);
  const start = figure(pair, (one) => one.startMs);
  const title = "first start ever to first request";
  return [{ id: "first-start", title, unit: "ms", ...start, goal: null }];
}

async function startLines(bench: Bench, { startRounds }: Profile): Promise<readonly Line[]> {
  const pair = await interleaved(bench, oneReadATurn(1), startRounds);
  const start = figure(pair, (one) => one.startMs);
  const bytes = figure(pair, (one) => one.firstBodyBytes / 1000);
  return [
    { id: "start", title: "start to first request", unit: "ms", ...start, goal: ratio(1.75) },
    ...wholeLines(pair, 1),
    { id: "first-body", title: "first request", unit: "kB", ...bytes, goal: value(16) },
  ];
}

const wholeRun = async (bench: Bench, turns: number, rounds: number): Promise<readonly Line[]> =>
  wholeLines(await interleaved(bench, oneReadATurn(turns), rounds), turns);

function wholeLines(pair: Pair, turns: number): readonly Line[] {
  const title = `whole run of ${counted(turns, "turn")}`;
  const wall = figure(pair, (one) => one.wallMs);
  const cpu = figure(pair, (one) => one.cpuMs);
  const peak = figure(pair, (one) => one.peakBytes / 1e6);
  return [
    { id: `wall-${turns}`, title: `${title}: wall`, unit: "ms", ...wall, goal: null },
    { id: `cpu-${turns}`, title: `${title}: CPU`, unit: "ms", ...cpu, goal: ratio(1.7) },
    {
      id: `peak-${turns}`,
      title: `${title}: peak memory`,
      unit: "MB",
      ...peak,
      goal: turns <= 10 ? ratio(1.3) : ratio(1.25),
    },
  ];
}

async function longLines(bench: Bench, profile: Profile): Promise<readonly Line[]> {
  const { longTurns, longRounds } = profile;
  const pair = await interleaved(bench, oneReadATurn(longTurns), longRounds);
  return [
    ...wholeLines(pair, longTurns),
    ...[10, 100, 300, 2000]
      .filter((turn) => turn <= longTurns)
      .flatMap((turn) => gapLines(pair, turn, longTurns)),
    ...growthLines(pair, longTurns),
  ];
}

const gapTitle = "end of reply to next request";

function gapLines(pair: Pair, turn: number, turns: number): readonly Line[] {
  const window = windowAt(turn, turns);
  const title = `${gapTitle}, turn ${turn}`;
  const p50 = gaps(pair, window, 0.5);
  const p95 = gaps(pair, window, 0.95);
  return [
    { id: `gap-${turn}-p50`, title: `${title}: p50`, unit: "ms", ...p50, goal: ratio(2.1) },
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

/** Half a millisecond more or less is noise: nothing is measured by it. */
const leastFigure = 0.5;

/** Two lines of one figure at two turns, and their ratio. */
function growth(
  id: string,
  what: {
    readonly title: string;
    readonly unit: Line["unit"];
    readonly at: readonly [number, number];
    readonly of: (turn: number) => number;
  },
): readonly Line[] {
  const { title, unit, at, of } = what;
  const [early, late] = at.map(of);
  const [earlyTurn, lateTurn] = at;
  if (early === undefined || late === undefined) return [];
  const plain = { unit, floor: null, goal: null } as const;
  return [
    { id: `${id}-${earlyTurn}`, title: `${title}, turn ${earlyTurn}`, pawl: early, ...plain },
    { id: `${id}-${lateTurn}`, title: `${title}, turn ${lateTurn}`, pawl: late, ...plain },
    {
      id: `${id}-growth`,
      title: `${title}, turn ${lateTurn} against turn ${earlyTurn}`,
      unit: "times",
      floor: null,
      // What is less than nothing (the floor builds its request anew each turn) counts as nothing.
      pawl: Math.max(0, late) / Math.max(leastFigure, early),
      goal: value(1.3),
    },
  ];
}

async function fiveReadLines(bench: Bench, { runRounds }: Profile): Promise<readonly Line[]> {
  const task: Task = { turns: 60, calls: (turn) => smallReads(5, turn) };
  const pair = await interleaved(bench, task, runRounds);
  const title = `${gapTitle}, five reads: p50`;
  const p50 = gaps(pair, { from: 20, to: 59 }, 0.5);
  return [{ id: "gap-five-reads", title, unit: "ms", ...p50, goal: ratio(2.1) }];
}

async function bigResultLines(bench: Bench, { runRounds }: Profile): Promise<readonly Line[]> {
  const pair = await interleaved(bench, { turns: 40, calls: bigReads }, runRounds);
  const title = `${gapTitle}, results of 100 kB: p50`;
  const p50 = gaps(pair, { from: 10, to: 39 }, 0.5);
  return [{ id: "gap-big", title, unit: "ms", ...p50, goal: ratio(1.5) }];
}

/** The loop by itself, and opening again what it has written. */
async function aloneLines({ workplace }: Bench, profile: Profile): Promise<readonly Line[]> {
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
      goal: value(300),
    },
  ];
}

async function measured([file = "", ...args]: readonly string[], cwd: string): Promise<number[]> {
  const path = join(ROOT, "bench", file);
  const { stdout } = await runNode({ args: [path, ...args], cwd, env: {}, usageFile: null });
  const value: unknown = JSON.parse(stdout);
  return [value].flat().filter((item) => typeof item === "number");
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
