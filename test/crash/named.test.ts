import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { killAndResume, runUnkilled, type CrashReport } from "./kill-and-resume.ts";
import type { Unkilled } from "./judge.ts";
import { readJournals } from "./journal.ts";
import type { SeenCall } from "./observe.ts";
import type { Kill } from "./program.ts";
import {
  oneCommand,
  stalledAfterCommand,
  stalledAfterRead,
  threeCommands,
  threeTurns,
  type Scenario,
} from "./scenario.ts";
import { effectsIn, removeCache, type Workplace } from "./workplace.ts";

after(removeCache);

/** Runs that nobody kills, by scenario: several tests compare with the same one. */
const unkilledRuns = new Map<Scenario, Promise<Unkilled>>();

function unkilledRun(scenario: Scenario): Promise<Unkilled> {
  const run = unkilledRuns.get(scenario) ?? runUnkilled(scenario);
  unkilledRuns.set(scenario, run);
  return run;
}

async function crash(
  scenario: Scenario,
  kills: (place: Workplace) => readonly Kill[],
): Promise<CrashReport> {
  const report = await killAndResume(await unkilledRun(scenario), scenario, kills);
  assert.deepEqual(report.problems, []);
  return report;
}

const when = (sees: () => boolean): Kill => ({ at: "sight", sees });
const hasRun = (place: Workplace, name: string) => (): boolean =>
  effectsIn(place.cwd).includes(name);
/** What a command printed is on disk. */
const hasPrinted = (place: Workplace, text: string) => (): boolean =>
  globSync("**/runs/*/out", { cwd: place.home }).some((path) =>
    readFileSync(join(place.home, path), "utf8").includes(text),
  );
const passed = (place: Workplace, point: string, times: number) => (): boolean =>
  place.pointsPassed().filter((one) => one === point).length >= times;

const fates = ({ killed }: CrashReport): readonly (readonly [string, SeenCall["fate"]])[] =>
  killed.seen.calls.map((call) => [call.name, call.fate]);
const resultOf = ({ killed }: CrashReport, index: number): string =>
  killed.seen.calls[index]?.result?.text ?? "";

test("R74 R80 R86 killed while a command runs: it ends with its partial output, runs once, and nothing runs on", async () => {
  const report = await crash(oneCommand, (place) => [when(hasRun(place, "only"))]);
  assert.equal(report.outcome, "partial");
  assert.deepEqual(fates(report), [["0.0 bash", "interrupted"]]);
  assert.match(resultOf(report, 0), /only begins/);
  assert.doesNotMatch(resultOf(report, 0), /only ends/);
  assert.deepEqual(report.killed.seen.effects, ["only"]);
});

test("R81 R86 R128 killed inside the second of three commands: finished, interrupted and never started are told apart", async () => {
  const report = await crash(threeCommands, (place) => [when(hasRun(place, "two"))]);
  assert.deepEqual(fates(report), [
    ["0.0 bash", "ended"],
    ["0.1 bash", "interrupted"],
    ["0.2 bash", "never_started"],
  ]);
  assert.deepEqual(report.killed.seen.effects, ["one", "two"]);
  assert.match(resultOf(report, 0), /one ends/);
  assert.match(resultOf(report, 2), /Not run/);
});

test("R74 R93 killed while the reply streams after a command's block is complete: the command had not begun, and runs once", async () => {
  let startedBefore = true;
  const report = await crash(stalledAfterCommand, (place) => [
    when(() => {
      // Text, the head of the first call, its end, the head of the second.
      if (!passed(place, "model.streaming", 4)()) return false;
      const [journal] = readJournals(place.home);
      startedBefore = journal?.facts.some((fact) => fact.type === "tool.started") ?? true;
      return true;
    }),
  ]);
  assert.equal(startedBefore, false);
  assert.equal(report.kills, 1);
  assert.equal(report.outcome, "same");
  assert.deepEqual(report.killed.seen.effects, ["one", "two"]);
});

test("R74 R88 R97 killed after an early read has ended but before the reply has: the read counts for nothing and is done again", async () => {
  const report = await crash(stalledAfterRead, (place) => [
    when(passed(place, "fact.tool.finished", 1)),
  ]);
  assert.equal(report.kills, 1);
  assert.equal(report.outcome, "same");
  const { facts = [] } = report.killed.seen.journal ?? {};
  assert.deepEqual(
    facts.flatMap((fact) => (fact.type === "request.lost" ? [fact.partial] : [])),
    ["Two calls."],
  );
});

test("R74 R75 R79 R130 killed between the last result and the next request: no turn is asked for or run again", async () => {
  const report = await crash(threeTurns, () => [{ at: "point", point: "model.before_request#3" }]);
  assert.equal(report.kills, 1);
  assert.equal(report.outcome, "same");
  const { requests, seen } = report.killed;
  assert.deepEqual(
    requests.map((request) => request.turn),
    [0, 1, 2],
  );
  assert.deepEqual(seen.effects, ["one", "two"]);
});

test("R74 R80 R81 killed twice, the second time while resuming: the second resume finds the same", async () => {
  const report = await crash(threeCommands, (place) => [
    when(hasRun(place, "two")),
    { at: "point", point: "probe.after" },
  ]);
  assert.equal(report.kills, 2);
  assert.equal(report.died[1], "probe.after");
  assert.deepEqual(
    fates(report).map(([, fate]) => fate),
    ["ended", "interrupted", "never_started"],
  );
  assert.deepEqual(report.killed.seen.effects, ["one", "two"]);
});

test("R80 R81 R86 killed together with the supervisor of its command: it says which call nobody can know, and runs nothing again", async () => {
  const report = await crash(threeCommands, (place) => [
    {
      at: "sight",
      sees: () => hasRun(place, "two")() && hasPrinted(place, "two begins")(),
      also: () => place.killAll(),
    },
  ]);
  assert.equal(report.outcome, "undetermined");
  assert.deepEqual(
    fates(report).map(([, fate]) => fate),
    ["ended", "undetermined", "never_started"],
  );
  assert.match(resultOf(report, 1), /two begins.*not known/s);
  assert.deepEqual(report.killed.seen.effects, ["one", "two"]);
});
