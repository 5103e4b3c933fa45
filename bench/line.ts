import type { Run } from "./run.ts";
import { quantile } from "./statistics.ts";

type Unit = "ms" | "MB" | "kB" | "bytes" | "times" | "packages" | "wires";

/** What a line should hold: a ratio to the floor, or a value of its own. */
export type Goal = { readonly atMost: number; readonly of: "ratio" | "value" };

/** One measured line of the table. */
export interface Line {
  /** Stable: `--compare` finds the same line of an earlier run by it. */
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  /** Null where the floor has nothing to compare with. */
  readonly floor: number | null;
  readonly pawl: number;
  readonly goal: Goal | null;
}

/** A goal for the ratio to the floor. */
export const timesFloor = (bound: number): Goal => ({ atMost: bound, of: "ratio" });
/** A goal for Pawl's own figure. */
export const atMost = (bound: number): Goal => ({ atMost: bound, of: "value" });

export const ratioOf = ({ floor, pawl }: Pick<Line, "floor" | "pawl">): number | null =>
  floor === null || floor === 0 ? null : pawl / floor;

/** Runs of both subjects, taken in turns. */
export interface Pair {
  readonly floor: readonly Run[];
  readonly pawl: readonly Run[];
}

/** Medians of one figure of both. */
export function figure(pair: Pair, of: (run: Run) => number): Pick<Line, "floor" | "pawl"> {
  return { floor: quantile(pair.floor.map(of), 0.5), pawl: quantile(pair.pawl.map(of), 0.5) };
}

/** A quantile of all gaps of a window of turns, in all runs of both. */
export function gaps(pair: Pair, window: Window, share: number): Pick<Line, "floor" | "pawl"> {
  const all = (runs: readonly Run[]): readonly number[] =>
    runs.flatMap((run) => run.gapsMs.slice(window.from, window.to));
  return { floor: quantile(all(pair.floor), share), pawl: quantile(all(pair.pawl), share) };
}

/** Turns `from` to before `to`, from 0. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** A tenth of the turns before and after, at least 5 and at most 25, as far as there are any. */
export function windowAt(turn: number, turns: number): Window {
  const half = Math.min(25, Math.max(5, Math.round(turn / 10)));
  const to = Math.min(turn + half, turns - 1);
  return { from: Math.max(0, to - 2 * half), to };
}

/** The time that matters most, as the table names it. */
export const gapTitle = "end of reply to next request";

export const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
