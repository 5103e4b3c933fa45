import {
  cutPoint,
  isIllegal,
  isRunning,
  outstanding,
  text,
  transition,
  type Effect,
  type EffectOf,
  type Fact,
  type Stamped,
  type State,
} from "#core";

import { asked, decided, failed, probed, replied, toolFinished, toolStarted } from "./facts.ts";

/** What the world answers. Everything else (starts, timers, cuts) follows by itself. */
export interface World {
  reply(effect: EffectOf<"call_model">, state: State): Fact;
  toolEnd(effect: EffectOf<"run_tool">): Fact;
  probe(effect: EffectOf<"probe">): Fact;
}

const ordinal = (request: string): number => Number(request.slice(1));

/** The model has nothing more to do, tools work, nothing had happened before a crash. */
export const calm: World = {
  reply: ({ request }, { prompt }) =>
    replied(
      ordinal(request),
      [text("All done.")],
      prompt.answerSchema === null ? {} : { answer: { problem: null } },
    ),
  toolEnd: ({ call: { id, attempt } }) => toolFinished(id, { attempt }),
  probe: ({ call }) => probed(call.id, "did_not_happen"),
};

/** Everything that is told to stop does so at once. */
export const obedient: World = {
  reply: ({ request }) => failed(ordinal(request), "aborted", { partial: "I was about to" }),
  toolEnd: ({ call: { id, attempt } }) =>
    toolFinished(id, { attempt, outcome: "interrupted", content: [text("cancelled")] }),
  probe: ({ call }) => probed(call.id, "running"),
};

export interface Drive {
  readonly stamped: readonly Stamped[];
  readonly states: readonly State[];
  /** The last state. */
  readonly end: State;
}

export interface DriveOptions {
  readonly world: World;
  /** More facts than this mean a loop without an end. */
  readonly mostFacts: number;
  /** Facts to slip in before the n-th, from 0. */
  readonly before?: (step: number, state: State) => readonly Fact[];
  /** ms that pass with each fact. */
  readonly paceMs?: number;
}

/** Lets a state run until nothing is owed any more; first come, first served, timers when they are due. */
export function drive(from: State, options: DriveOptions): Drive {
  const { world, mostFacts, before = () => [], paceMs = 1000 } = options;
  const stamped: Stamped[] = [];
  const states: State[] = [from];
  let state = from;
  const take = (fact: Fact, at: number): void => {
    const next = transition(state, { at, fact });
    if (isIllegal(next)) throw new Error(`${fact.type} was refused: ${next.illegal}`);
    state = next;
    stamped.push({ at, fact });
    states.push(state);
  };
  for (let step = 0; isRunning(state); step += 1) {
    if (stamped.length > mostFacts) throw new Error(`no end after ${mostFacts} facts`);
    for (const fact of before(step, state)) take(fact, state.at + paceMs);
    const effect = next(state);
    if (effect === undefined) break;
    const due = effect.type === "wait" ? effect.until : 0;
    take(factOf(effect, state, world), Math.max(state.at + paceMs, due));
  }
  return { stamped, states, end: state };
}

type OfTheRun = Exclude<Effect, { type: "watch_job" }>;

const isOfTheRun = (effect: Effect): effect is OfTheRun => effect.type !== "watch_job";

function next(state: State): OfTheRun | undefined {
  const owed = outstanding(state).filter(isOfTheRun);
  const isDue = (effect: Effect): boolean => effect.type === "wait" && effect.until <= state.at;
  return owed.find(isDue) ?? owed[0];
}

function factOf(effect: OfTheRun, state: State, world: World): Fact {
  switch (effect.type) {
    case "call_model": {
      const { request, purpose, attempt, tools, begun } = effect;
      if (begun) return world.reply(effect, state);
      return { ...asked(1), request, purpose, attempt, tools };
    }
    case "decide":
    case "ask":
      return decided(effect.call.id);
    case "run_tool": {
      const { id, attempt, stamp } = effect.call;
      const recovery = "recovery" in stamp ? stamp.recovery : "never";
      return effect.begun
        ? world.toolEnd(effect)
        : toolStarted(id, { attempt: attempt + 1, recovery });
    }
    case "probe":
      return world.probe(effect);
    case "wait":
      return { type: "timer.fired", timer: effect.timer };
    case "cut_context":
      return {
        type: "context.compacted",
        from: cutPoint(state),
        summary: null,
        how: "drop",
      };
    default:
      return effect satisfies never;
  }
}
