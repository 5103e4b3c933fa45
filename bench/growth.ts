import { atMost, type Line } from "./line.ts";

/** Half a millisecond more or less is noise: nothing is measured by it. */
const leastFigure = 0.5;

/** Two lines of one figure at two turns, and their ratio. */
export function growth(
  id: string,
  what: {
    readonly title: string;
    readonly unit: Line["unit"];
    readonly at: readonly [number, number];
    readonly of: (turn: number) => number;
  },
): readonly Line[] {
  const { title, unit, at, of } = what;
  const [earlyAt, lateAt] = at;
  const [early, late] = [of(earlyAt), of(lateAt)];
  const [earlyTurn, lateTurn] = at.map((turn) => turn.toLocaleString("en"));
  const plain = { unit, floor: null, goal: null } as const;
  return [
    { id: `${id}-${earlyAt}`, title: `${title}, turn ${earlyTurn}`, pawl: early, ...plain },
    { id: `${id}-${lateAt}`, title: `${title}, turn ${lateTurn}`, pawl: late, ...plain },
    {
      id: `${id}-growth`,
      title: `${title}, turn ${lateTurn} against turn ${earlyTurn}`,
      unit: "times",
      floor: null,
      // What is less than nothing (the floor builds its request anew each turn) counts as nothing.
      pawl: Math.max(0, late) / Math.max(leastFigure, early),
      goal: atMost(1.3),
    },
  ];
}
