import { withTurnLimit } from "./budget.ts";
import { isSettled, settleWithText, type Call } from "./call.ts";
import { cutAt, mayCutAt } from "./context.ts";
import type { Agent, FactOf } from "./event.ts";
import { illegal, type Illegal } from "./illegal.ts";
import { text } from "./message.ts";
import { deadlineOf } from "./outstanding.ts";
import { isRunning, type Phase, type State } from "./state.ts";
import {
  ask,
  beginPrompt,
  breakOffTo,
  comeToRest,
  compact,
  dropUnstarted,
  finishActing,
  interrupted,
  stop,
  stopInterrupted,
  think,
  unlessLimit,
  type Sent,
} from "./turn.ts";

export function started(state: State, fact: FactOf<"session.started">): State {
  const { rules, sessionId: id, parent, cwd, agent, gitHead } = fact;
  const described: State = { ...state, rules, sessionId: id, parent, cwd, gitHead };
  return withAgent(described, agent);
}

/** Another model of the user's choice is asked at once, and gets the images that its forerunner refused. */
export function withAgent(state: State, changed: Partial<Agent>): State {
  const agent = { ...state.agent, ...changed };
  const described: State = { ...state, agent: { ...agent, limits: withTurnLimit(agent.limits) } };
  if (agent.model === state.agent.model) return described;
  return {
    ...described,
    withheld: { ...state.withheld, images: 0 },
    prompt: { ...state.prompt, fellBack: false },
  };
}

/** The copy goes on by itself: what was open where it branched off belongs to the original. */
export function forked(state: State, fact: FactOf<"session.forked">): State {
  const { sessionId: id, from: forkOf, cwd } = fact;
  const copy: State = {
    ...state,
    sessionId: id,
    forkOf,
    cwd,
    inbox: [],
    jobs: {},
    interrupt: null,
    budget: { ...state.budget, reserved: {} },
  };
  const { phase } = copy;
  if (!isRunning(copy)) return copy;
  if (phase.at === "compacting" || phase.at === "backing_off") return breakOffTo(copy, phase.after);
  if (phase.at !== "acting") return stop(copy, interrupted);
  const calls = phase.calls.map(settleForked);
  return finishActing(copy, { ...phase, calls, after: interrupted });
}

const settleForked = (call: Call): Call =>
  isSettled(call)
    ? call
    : settleWithText(call, "not_run", "Not run here: the session was forked at this point.");

export function inputReceived(state: State, fact: FactOf<"input.received">): State | Illegal {
  const inputs = state.count.inputs + 1;
  if (fact.input !== `i${inputs}`) return illegal(`input ${fact.input} is out of order`);
  const counted = { ...state, count: { ...state.count, inputs } };
  if (isRunning(state)) {
    if (fact.kind !== "prompt") return illegal(`${fact.kind} is for a session that has stopped`);
    return { ...counted, inbox: [...state.inbox, { id: fact.input, ...sent(fact) }] };
  }
  const seq = state.seq + 1;
  switch (fact.kind) {
    case "prompt":
      return beginPrompt(counted, sent(fact), seq);
    case "continue":
      return state.phase.at === "stopped"
        ? beginPrompt(
            counted,
            { blocks: goOn(state), answerSchema: state.prompt.answerSchema },
            seq,
          )
        : illegal("there is nothing to go on with");
    case "compact":
      return state.phase.at === "stopped"
        ? compact(counted, state.phase)
        : illegal("there is nothing to compact");
    default:
      return fact.kind satisfies never;
  }
}

const sent = ({ blocks, answerSchema }: FactOf<"input.received">): Sent => ({
  blocks,
  answerSchema: answerSchema ?? null,
});

/** A conversation that ends with the user's side is simply sent again; else the model is told to go on. */
function goOn(state: State): Sent["blocks"] {
  const last = state.messages.at(-1);
  return last?.role === "user" ? [] : [text("Continue from where you stopped.")];
}

export function inputWithdrawn(state: State, fact: FactOf<"input.withdrawn">): State | Illegal {
  const inbox = state.inbox.filter((input) => !fact.inputs.includes(input.id));
  return inbox.length + fact.inputs.length === state.inbox.length
    ? { ...state, inbox }
    : illegal("an input that is not queued cannot be withdrawn");
}

export function interruptRequested(state: State, how: "graceful" | "now"): State | Illegal {
  if (state.interrupt === "now") return illegal("everything is being stopped already");
  if (state.inbox.length > 0) return illegal("queued input would begin: it is withdrawn first");
  return takeInterrupt({ ...state, interrupt: how });
}

/** What has not begun does not begin; what runs is ended by its performer, or finishes (graceful). */
function takeInterrupt(state: State): State | Illegal {
  const { phase } = state;
  switch (phase.at) {
    case "thinking": {
      if (!phase.started) return stopInterrupted(state);
      const early = dropUnstarted(phase.early, "the user interrupted");
      return { ...state, phase: { ...phase, early } };
    }
    case "compacting":
      return phase.started && phase.step === "summarise" ? state : breakOffTo(state, phase.after);
    case "backing_off":
      return breakOffTo(state, phase.after);
    case "acting":
      return finishActing(state, {
        ...phase,
        calls: dropUnstarted(phase.calls, "the user interrupted"),
      });
    case "idle":
    case "stopped":
      return illegal("nothing runs");
    default:
      return phase satisfies never;
  }
}

export function timerFired(state: State, fact: FactOf<"timer.fired">): State | Illegal {
  const { phase } = state;
  if (phase.at === "backing_off" && fact.timer === phase.timer) {
    return retry(state, phase);
  }
  if (fact.timer === deadlineOf(state)?.timer) {
    const timeUp: State = { ...state, prompt: { ...state.prompt, timeUp: true }, interrupt: "now" };
    return takeInterrupt(timeUp);
  }
  return illegal(`timer ${fact.timer} is not running`);
}

/** Failed attempts cost too: the guards hold here as they do before a first attempt. */
const retry = (state: State, failed: Extract<Phase, { at: "backing_off" }>): State =>
  unlessLimit(state, failed.after, () =>
    ask(
      state,
      (asking) =>
        failed.purpose === "turn"
          ? { at: "thinking", ...asking, final: failed.final, early: [] }
          : { at: "compacting", ...asking, step: "summarise", summary: null, after: failed.after },
      { attempt: failed.attempt + 1, waitedMs: failed.waitedMs },
    ),
  );

export function contextCompacted(state: State, fact: FactOf<"context.compacted">): State | Illegal {
  const { phase } = state;
  if (phase.at !== "compacting" || phase.step !== "cut") return illegal("no cut is owed");
  if (!mayCutAt(state, fact.from)) {
    return illegal("the cut is outside the conversation or parts a call from its result");
  }
  const cut = fact.from > 0 ? cutAt(state, fact.from, fact.summary) : state.cut;
  const shorter: State = { ...state, cut, contextTokens: 0 };
  return phase.after.at === "stopped" ? comeToRest(shorter, phase.after) : think(shorter);
}

export function jobStarted(state: State, fact: FactOf<"job.started">): State {
  const { job: id, call, title } = fact;
  return { ...state, jobs: { ...state.jobs, [id]: { id, call, title } } };
}

export function memoryChanged(state: State, fact: FactOf<"memory.changed">): State {
  const sections = { ...state.agent.sections, [fact.section]: fact.content };
  return { ...state, agent: { ...state.agent, sections } };
}

export function jobEnded(state: State, fact: FactOf<"job.ended">): State | Illegal {
  if (!Object.hasOwn(state.jobs, fact.job)) return illegal(`job ${fact.job} is not known`);
  return {
    ...state,
    jobs: Object.fromEntries(Object.entries(state.jobs).filter(([id]) => id !== fact.job)),
  };
}

export function reserved(state: State, fact: FactOf<"budget.reserved">): State {
  const all = { ...state.budget.reserved, [fact.call]: fact.costUsd };
  return { ...state, budget: { ...state.budget, reserved: all } };
}

export function released(state: State, fact: FactOf<"budget.released">): State | Illegal {
  if (!Object.hasOwn(state.budget.reserved, fact.call))
    return illegal(`${fact.call} reserved nothing`);
  const reserved = Object.fromEntries(
    Object.entries(state.budget.reserved).filter(([id]) => id !== fact.call),
  );
  const costUsd = (spent: { readonly costUsd: number }): number => spent.costUsd + fact.costUsd;
  return {
    ...state,
    budget: { ...state.budget, reserved, costUsd: costUsd(state.budget) },
    prompt: { ...state.prompt, costUsd: costUsd(state.prompt) },
  };
}
