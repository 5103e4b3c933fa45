import assert from "node:assert/strict";
import { after, test } from "node:test";

import { random } from "../sim/world.ts";
import { killAndResume, runUnkilled, type CrashReport } from "./kill-and-resume.ts";
import { inLanes } from "./lanes.ts";
import { requireBuilt, type Kill } from "./program.ts";
import { scenario } from "./scenario.ts";
import { crashProblems, crashTable, kindOf, type Row } from "./table.ts";
import { removeCache } from "./workplace.ts";

const isFull = process.env["PAWL_CRASH_FULL"] === "1";
const seed = Number(process.env["PAWL_SEED"] ?? Date.now() % 1_000_000_000);
const pairsInSample = 300;
/** Kills at random moments, however many of the runs they take. */
const randomKills = Number(process.env["PAWL_CRASH_KILLS"] ?? 300);
/** Points of the resume that are combined with each point of the first life. */
const resumePoints = 8;
const lanes = 2;

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly kills: readonly Kill[];
}

requireBuilt();
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

/** Runs the cases, prints their table, and gives the reports. */
async function runCases(title: string, cases: readonly Case[]): Promise<readonly CrashReport[]> {
  const begun = performance.now();
  const reports = await inLanes(cases, lanes, ({ kills }) =>
    killAndResume(unkilled, scenario, () => kills),
  );
  const rows: Row[] = reports.map((report, index) => ({ kind: cases[index]?.kind ?? "", report }));
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  process.stdout.write(
    `\n${crashTable(title, rows)}\n${cases.length} runs in ${seconds} s, seed ${seed}\n`,
  );
  const named = reports.map((report, index) => ({ name: cases[index]?.name ?? "", report }));
  assert.deepEqual(crashProblems(named), [], `replay with PAWL_SEED=${seed}`);
  return reports;
}

const atPoint = (point: string): Kill => ({ at: "point", point });

test(`R74 R79 R80 R86 killed at each of ${points.length} points, every run ends as if it had not been, or says what it cannot know`, async () => {
  const cases = points.map((point) => ({
    name: point,
    kind: kindOf(point),
    kills: [atPoint(point)],
  }));
  const reports = await runCases("killed once, at", cases);
  const struck = reports.filter((report) => report.kills === 1).length;
  // Reads run side by side, so that a batch of facts may be written in one piece more or less.
  assert.ok(
    struck >= points.length * 0.97,
    `only ${struck} of ${points.length} points were reached`,
  );
});

test("R74 R80 R86 killed again while resuming, every run ends as if it had not been, or says what it cannot know", async () => {
  const all = points.flatMap((point) =>
    Array.from({ length: resumePoints }, (_, index) => ({
      name: `${point} then *#${index + 1}`,
      kind: `${kindOf(point)} + resume`,
      kills: [atPoint(point), atPoint(`*#${index + 1}`)],
    })),
  );
  const next = random(seed);
  const sample = isFull
    ? all
    : all
        .map((one) => ({ one, order: next() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, pairsInSample)
        .map(({ one }) => one);
  await runCases("killed twice, first at", sample);
});

test("R74 R80 R86 killed at random moments, every run ends as if it had not been, or says what it cannot know", async () => {
  const next = random(seed + 1);
  const cases: Case[] = [];
  for (let planned = 0; planned < randomKills * 1.3; planned += cases.at(-1)?.kills.length ?? 1) {
    const kills = Array.from({ length: 1 + Math.floor(next() * 3) }, () => {
      const ms = Math.round(unkilled.ms * (0.1 + 0.95 * next()));
      return { at: "time", ms } as const;
    });
    const name = `killed after ${kills.map((kill) => kill.ms).join(", ")} ms`;
    cases.push({ name, kind: `${kills.length} random kills`, kills });
  }
  const reports = await runCases("killed from outside", cases);
  const kills = reports.reduce((sum, report) => sum + report.kills, 0);
  assert.ok(kills >= randomKills, `only ${kills} kills struck`);
});
