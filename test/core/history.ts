// 270 lines: one random walk of the whole machine; its parts make no sense apart.
import assert from "node:assert/strict";

import fc from "fast-check";

import {
  admit,
  emptyState,
  hash,
  isIllegal,
  isRefusal,
  isRunning,
  openCalls,
  outstanding,
  text,
  transition,
  type Command,
  type Effect,
  type Fact,
  type FactType,
  type Stamped,
  type State,
} from "#core";
import { lostFacts } from "#runtime";

import { draws, type Draws } from "./draws.ts";
import { forkedTo, nth, resumed } from "./facts.ts";
import { endOf, words } from "./ends.ts";
import { aside, randomAgent, wrong } from "./asides.ts";
import { deepFreeze } from "./freeze.ts";

/** One fact offered to the machine. */
export interface Step {
  readonly before: State;
  readonly stamped: Stamped;
  /** null when it was refused. */
  readonly after: State | null;
  /** Who says it happened. Only `wrong` ones may be refused. */
  readonly from: "effect" | "command" | "recovery" | "world" | "wrong";
}

export interface History {
  readonly steps: readonly Step[];
  readonly facts: readonly Stamped[];
  /** `states[n]` holds after the first n facts. All are frozen to the bottom. */
  readonly states: readonly State[];
}

const mostSteps = 140;

/** Each number decides one step of the walk. Shrinking makes it shorter, so that it ends where a law breaks. */
export const histories: fc.Arbitrary<History> = fc
  .tuple(
    fc.noBias(fc.integer({ min: 1, max: mostSteps })),
    fc.noShrink(fc.array(fc.integer(), { minLength: mostSteps, maxLength: mostSteps })),
  )
  .map(([length, seeds]) => walk(seeds.slice(0, length)));

/** The end of a history, a line a step, each cut to what fits. */
const print = ({ steps }: History): string =>
  steps
    .map(({ stamped, after, from }, index) =>
      `${index} ${from}${after === null ? " (refused)" : ""} ${JSON.stringify(stamped)}`.slice(
        0,
        600,
      ),
    )
    .slice(-25)
    .join("\n");

function walk(seeds: readonly number[]): History {
  const steps: Step[] = [];
  let state = deepFreeze(emptyState);
  for (const seed of seeds) {
    const choose = draws(seed);
    const { from, facts } = state.seq === 0 ? beginning(choose) : happening(state, choose);
    for (const fact of facts) {
      const at = Math.max(state.at + choose.below(2000) - 20, dueAt(state, fact));
      const stamped = deepFreeze({ at, fact });
      const next = transition(state, stamped);
      const after = isIllegal(next) ? null : deepFreeze(next);
      steps.push({ before: state, stamped, after, from });
      state = after ?? state;
    }
  }
  const taken = steps.filter((step) => step.after !== null);
  return {
    steps,
    facts: taken.map((step) => step.stamped),
    states: [emptyState, ...taken.flatMap((step) => step.after ?? [])],
  };
}

/** A timer does not fire before its time. */
function dueAt(state: State, fact: Fact): number {
  if (fact.type !== "timer.fired") return 0;
  const due = outstanding(state).find(
    (effect) => effect.type === "wait" && effect.timer === fact.timer,
  );
  return due?.type === "wait" ? due.until : 0;
}

interface Happening {
  readonly from: Step["from"];
  readonly facts: readonly Fact[];
}

const beginning = (choose: Draws): Happening => ({
  from: "world",
  facts: [
    {
      type: "session.started",
      rules: 1,
      sessionId: forkedTo(0).from.sessionId,
      parent: null,
      cwd: "/repo",
      agent: randomAgent(choose),
      program: "pawl/test",
      gitHead: null,
    },
  ],
});

function happening(state: State, choose: Draws): Happening {
  const kind = isRunning(state)
    ? choose.weighted([
        [76, "effect"],
        [7, "command"],
        [6, "aside"],
        [hasRunningCall(state) ? 14 : 3, "crash"],
        [1, "fork"],
        [5, "wrong"],
      ])
    : choose.weighted([
        [70, "command"],
        [12, "aside"],
        [6, "crash"],
        [4, "fork"],
        [8, "wrong"],
      ]);
  switch (kind) {
    case "effect":
      return { from: "effect", facts: effectEnds(state, choose) };
    case "command":
      return { from: "command", facts: commanded(state, choose) };
    case "aside":
      return { from: "world", facts: aside(state, choose) };
    case "crash":
      return { from: "recovery", facts: [resumed, ...lostFacts(state, choose.pick(words))] };
    case "fork":
      return { from: "world", facts: [forkedTo(state.seq)] };
    default:
      return { from: "wrong", facts: wrong(state, choose) };
  }
}

const hasRunningCall = (state: State): boolean =>
  state.phase.at === "acting" && state.phase.calls.some((call) => call.status.at === "started");

/** One of the effects that are owed begins or ends. */
function effectEnds(state: State, choose: Draws): readonly Fact[] {
  const owed = outstanding(state).filter((effect) => isTimely(effect, choose));
  return owed.length === 0 ? [] : endOf(state, choose.pick(owed), choose);
}

/** The wall-clock limit and the jobs are always there and would end everything soon. */
const isTimely = (effect: Effect, choose: Draws): boolean => {
  if (effect.type === "wait" && effect.timer.startsWith("deadline")) return choose.chance(0.03);
  return effect.type !== "watch_job" || choose.chance(0.1);
};

function commanded(state: State, choose: Draws): readonly Fact[] {
  const facts = admit(state, command(state, choose));
  return isRefusal(facts) ? [] : facts;
}

function command(state: State, choose: Draws): Command {
  const prompt: Command = {
    type: "prompt",
    blocks: [text(choose.pick(words)), text("go")],
    ...(choose.chance(0.2) ? { answerSchema: choose.pick(schemas) } : {}),
  };
  const open = openCalls(state).map((call) => call.id);
  return choose.weighted<Command>([
    [isRunning(state) ? 4 : 14, prompt],
    [2, { type: "continue" }],
    [1, { type: "compact" }],
    [3, { type: "interrupt", now: choose.chance(0.5) }],
    [
      state.inbox.length > 0 ? 4 : 1,
      { type: "withdraw", inputs: state.inbox.map((input) => input.id) },
    ],
    [1, { type: "change_agent", agent: { limits: randomAgent(choose).limits } }],
    [
      1,
      {
        type: "answer",
        call: choose.pick([...open, nth(1, 0)]),
        verdict: choose.pick(["allow", "deny"]),
        scope: choose.pick(["once", "session"]),
        reason: choose.pick(["", "I said so"]),
      },
    ],
  ]);
}

const schemas = ['{"type":"object"}', { blob: hash("schema"), bytes: 70_000 }] as const;

const factTypes: Readonly<Record<FactType, true>> = {
  "session.started": true,
  "session.resumed": true,
  "session.forked": true,
  "agent.changed": true,
  "input.received": true,
  "input.withdrawn": true,
  "interrupt.requested": true,
  "request.started": true,
  "request.failed": true,
  "request.lost": true,
  "response.received": true,
  "timer.fired": true,
  "context.compacted": true,
  "tool.requested": true,
  "permission.asked": true,
  "permission.decided": true,
  "tool.started": true,
  "tool.finished": true,
  "tool.lost": true,
  "tool.probed": true,
  "job.started": true,
  "job.ended": true,
  "budget.reserved": true,
  "budget.released": true,
  "memory.changed": true,
  "workspace.restored": true,
  "hook.ran": true,
};

/** Every type there is: the compiler asks for new ones. */
export const allFactTypes: readonly string[] = Object.keys(factTypes);

/** How many histories a law is tried on: a few in the quick tests, thousands in CI. */
export const runs: number = Number(process.env["PAWL_HISTORIES"] ?? 120);

/** Tries a law on random histories. A failure names the seed that brings it back. */
export function eachHistory(law: (history: History) => void): void {
  assert.ok(Number.isInteger(runs) && runs > 0, "PAWL_HISTORIES is a number from 1 up");
  const seed = Number(process.env["PAWL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  const result = fc.check(fc.property(histories, law), { numRuns: runs, seed });
  if (!result.failed) return;
  const { errorInstance, counterexample, numRuns, numShrinks } = result;
  throw new Error(
    `broken after ${numRuns} histories, ${numShrinks} shrinks. Again: PAWL_SEED=${seed} PAWL_HISTORIES=${runs}\n` +
      String(counterexample === null ? "" : counterexample.map((one) => print(one)).join("\n")),
    { cause: errorInstance },
  );
}

/** Every n-th, and the last: enough where looking at all would take too long. */
export const everyNth = <T>(step: number, list: readonly T[]): readonly T[] =>
  list.filter((_, index) => index % step === 0 || index === list.length - 1);
