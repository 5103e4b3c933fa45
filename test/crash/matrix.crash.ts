import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";

import { random } from "../sim/world.ts";
import { killAndResume, runUnkilled, type CrashReport } from "./kill-and-resume.ts";
import { inLanes } from "./lanes.ts";
import type { Kill } from "./program.ts";
import { scenario } from "./scenario.ts";
import { crashProblems, crashTable, kindOf } from "./table.ts";
import { removeCache, type Workplace } from "./workplace.ts";

const isFull = process.env["PAWL_CRASH_FULL"] === "1";
const seed = Number(process.env["PAWL_SEED"] ?? Date.now() % 1_000_000_000);
const pairsInSample = 300;
const randomKills = 300;
/** Points of the resume that are combined with each point of the first life. */
const resumePoints = 8;
const lanes = 2;

interface Case {
  readonly name: string;
  /** Cases of one kind share a line of the table. */
  readonly kind: string;
  readonly kills: number;
  readonly kill: (place: Workplace) => readonly Kill[];
}

interface Ran extends Case {
  readonly report: CrashReport;
}

after(removeCache);
const unkilled = await runUnkilled(scenario);
const points = numbered(unkilled.points);

/** `a, b, a` → `a#1, b#1, a#2`. */
function numbered(names: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    return `${name}#${count}`;
  });
}

/** The full figures take long: say now and then how far it is, and at once what is wrong. */
const reportEvery = 100;

async function run(cases: readonly Case[]): Promise<readonly Ran[]> {
  let done = 0;
  return inLanes(cases, lanes, async (one) => {
    const report = await killAndResume(unkilled, scenario, one.kill);
    done += 1;
    const problems = crashProblems([{ name: one.name, report }]);
    if (problems.length > 0) process.stdout.write(`${problems.join("\n")}\n`);
    if (done % reportEvery === 0) process.stdout.write(`${done} of ${cases.length} runs\n`);
    return { ...one, report };
  });
}

/** Prints the table and the figure; fails when a run went wrong or too few did what they should. */
function conclude(
  t: TestContext,
  ran: readonly Ran[],
  figure: { readonly name: string; readonly reached: number; readonly required: number },
): void {
  const { name, reached, required } = figure;
  process.stdout.write(`\n${crashTable(name, ran)}\n`);
  assert.deepEqual(crashProblems(ran), [], `replay with PAWL_SEED=${seed}`);
  t.diagnostic(`figure: ${name}; reached ${reached}; required ${required}`);
  assert.ok(reached >= required, `${name}: only ${reached} of ${required}`);
}

const atPoints = (...points: readonly string[]): Pick<Case, "kills" | "kill"> => ({
  kills: points.length,
  kill: () => points.map((point) => ({ at: "point", point })),
});
const struckAll = ({ kills, report }: Ran): boolean => report.kills === kills;

test(`R74 R79 R80 R86 killed at each of ${points.length} points, a run ends as if it had not been, or says what it cannot know`, async (t) => {
  const ran = await run(
    points.map((point) => ({ name: point, kind: kindOf(point), ...atPoints(point) })),
  );
  // Reads run side by side, so that there may be a piece more or less of what they write.
  conclude(t, ran, {
    name: "runs killed once, at each point",
    reached: ran.filter(struckAll).length,
    required: Math.floor(points.length * 0.97),
  });
});

test("R74 R80 R86 killed again while resuming, a run ends as if it had not been, or says what it cannot know", async (t) => {
  const all = points.flatMap((point) =>
    Array.from({ length: resumePoints }, (_, index) => ({
      name: `${point} then *#${index + 1}`,
      kind: `${kindOf(point)}, then again`,
      ...atPoints(point, `*#${index + 1}`),
    })),
  );
  const cases = isFull ? all : sampleOf(all, pairsInSample);
  const ran = await run(cases);
  conclude(t, ran, {
    name: "runs killed twice, the second time while resuming",
    reached: ran.filter(struckAll).length,
    // The resume of a run that was killed at its very end passes fewer points.
    required: Math.floor(cases.length * 0.9),
  });
});

function sampleOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  const next = random(seed);
  return items
    .map((item) => ({ item, order: next() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item);
}

test("R74 R80 R86 killed at random moments, a run ends as if it had not been, or says what it cannot know", async (t) => {
  const next = random(seed + 1);
  const draw = (): Case => {
    const times = Array.from({ length: 1 + Math.floor(next() * 3) }, () =>
      Math.round(unkilled.ms * (0.1 + 0.9 * next())),
    );
    const who = next() < 0.5 ? "the agent" : "the agent with its supervisors and commands";
    return {
      name: `${who}, killed after ${times.join(", ")} ms`,
      kind: `${who}, up to ${times.length} times`,
      kills: times.length,
      kill: (place) =>
        times.map((ms) =>
          who === "the agent"
            ? { at: "time", ms }
            : { at: "time", ms, also: () => place.killAll() },
        ),
    };
  };
  const ran: Ran[] = [];
  const struck = (): number => ran.reduce((sum, { report }) => sum + report.kills, 0);
  // A run may be over before its killer comes.
  while (struck() < randomKills && ran.length < randomKills * 2) {
    ran.push(...(await run(Array.from({ length: 20 }, draw))));
  }
  conclude(t, ran, { name: "kills at random moments", reached: struck(), required: randomKills });
});
