import { setTimeout as sleep } from "node:timers/promises";

import { effectOf, judge, type Killed, type Unkilled, type Verdict } from "./judge.ts";
import { readJournals } from "./journal.ts";
import { observe } from "./observe.ts";
import type { Ended, Kill } from "./program.ts";
import type { Scenario } from "./scenario.ts";
import { openWorkplace, type Workplace } from "./workplace.ts";

export interface CrashReport extends Verdict {
  /** The last crash point each killed process passed. */
  readonly died: readonly string[];
  /** Kills that struck: a process may be faster than its killer. */
  readonly kills: number;
  readonly ms: number;
  readonly killed: Killed;
}

/** The run that nobody kills. @throws Error when even that one does not complete */
export async function runUnkilled(scenario: Scenario): Promise<Unkilled> {
  const turns = scenario.turns.map((turn) => ({ ...turn, fault: [] }));
  await using place = await openWorkplace({ ...scenario, turns });
  const ended = await goOn(place, null);
  const seen = observe(place);
  if (ended.code !== 0) throw new Error(`The unkilled run failed:\n${ended.stderr}`);
  return {
    seen,
    points: place.pointsPassed(),
    requests: place.server.requests.length,
    ms: ended.ms,
  };
}

/** Seconds: longer than any killer needs to see that a command has begun. */
const pauseSeconds = 20;

/** Runs a scenario, kills it as told, resumes it each time, and judges where it ends. */
export async function killAndResume(
  unkilled: Unkilled,
  scenario: Scenario,
  kills: (place: Workplace) => readonly Kill[],
): Promise<CrashReport> {
  const begun = performance.now();
  await using place = await openWorkplace(scenario, { pauseSeconds });
  const lives: Ended[] = [];
  const died: string[] = [];
  const unannounced: string[] = [];
  for (const kill of [...kills(place), null]) {
    const ended = await goOn(place, kill);
    lives.push(ended);
    unannounced.push(...unannouncedEffects(place));
    if (ended.signal !== "SIGKILL") break;
    died.push(place.pointsPassed().at(-1) ?? "before the first point");
  }
  const processes = await whatStays(place);
  const { requests } = place.server;
  const points = place.pointsPassed();
  const killed = { requests, points, seen: observe(place), lives, processes, unannounced };
  const verdict = judge(killed, unkilled);
  return { ...verdict, died, kills: died.length, ms: performance.now() - begun, killed };
}

/** One life of the program: begins the task, or goes on with it as a user would, even if only the answer is missing. */
export function goOn(place: Workplace, kill: Kill | null): Promise<Ended> {
  const { flags, prompt } = place.scenario;
  const common = ["-p", "--output-format", "json", ...flags];
  const [journal] = readJournals(place.home);
  if (journal === undefined) return place.run([...common, "--", prompt], kill);
  const hasPrompt = journal.facts.some((fact) => fact.type === "input.received");
  return place.run([...common, "-c", ...(hasPrompt ? [] : ["--", prompt])], kill);
}

/** Effects in the world whose start was not on disk before: after each life there must be none. */
function unannouncedEffects(place: Workplace): readonly string[] {
  const { effects, calls } = observe(place);
  const started = new Set(calls.filter((call) => call.fate !== "never_started").map(effectOf));
  return effects.filter((effect) => !started.has(effect));
}

/** A supervisor has 300 ms to end what a dead agent left; on a busy machine a little more. */
const graceMs = 1_000;

/** Processes that are still there after that time. */
export async function whatStays(place: Workplace): Promise<readonly string[]> {
  let left = place.processes();
  for (let waitedMs = 0; left.length > 0 && waitedMs < graceMs; waitedMs += 20) {
    await sleep(20);
    left = place.processes();
  }
  return left;
}
