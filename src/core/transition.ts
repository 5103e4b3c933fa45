import {
  permissionAsked,
  permissionDecided,
  toolFinished,
  toolLost,
  toolProbed,
  toolStarted,
} from "./call-facts.ts";
import type { Stamped } from "./event.ts";
import { illegal, isIllegal, type Illegal } from "./illegal.ts";
import { isActive } from "./outstanding.ts";
import {
  requestFailed,
  requestLost,
  requestStarted,
  responseReceived,
  toolRequested,
} from "./receive.ts";
import {
  contextCompacted,
  forked,
  inputReceived,
  inputWithdrawn,
  interruptRequested,
  jobEnded,
  jobStarted,
  memoryChanged,
  released,
  reserved,
  started,
  timerFired,
  withAgent,
} from "./session-facts.ts";
import type { State } from "./state.ts";

/**
 * The state machine: what is true after this fact. Same state and fact, same result; the given state is never
 * changed. A fact that cannot have happened is refused.
 */
export function transition(state: State, stamped: Stamped): State | Illegal {
  const { at, fact } = stamped;
  if ((state.seq === 0) !== (fact.type === "session.started")) {
    return illegal("the first fact of a journal, and only the first, is session.started");
  }
  const next = apply({ ...state, at }, stamped);
  if (isIllegal(next)) return next;
  const samePrompt = next.prompt.seq === state.prompt.seq;
  const elapsedMs =
    samePrompt && fact.type !== "session.resumed" && isActive(state)
      ? Math.max(0, at - state.at)
      : 0;
  const prompt =
    elapsedMs > 0 ? { ...next.prompt, activeMs: next.prompt.activeMs + elapsedMs } : next.prompt;
  return { ...next, seq: state.seq + 1, prompt };
}

function apply(state: State, stamped: Stamped): State | Illegal {
  const { fact } = stamped;
  switch (fact.type) {
    case "session.started":
      return started(state, fact);
    case "session.resumed":
      return { ...state, cwd: fact.cwd, gitHead: fact.gitHead };
    case "session.forked":
      return forked(state, fact);
    case "agent.changed":
      return withAgent(state, fact.agent);
    case "input.received":
      return inputReceived(state, fact);
    case "input.withdrawn":
      return inputWithdrawn(state, fact);
    case "interrupt.requested":
      return interruptRequested(state, fact.now ? "now" : "graceful");
    case "request.started":
      return requestStarted(state, fact);
    case "request.failed":
      return requestFailed(state, fact);
    case "request.lost":
      return requestLost(state, fact);
    case "response.received":
      return responseReceived(state, fact);
    case "timer.fired":
      return timerFired(state, fact);
    case "context.compacted":
      return contextCompacted(state, fact);
    case "tool.requested":
      return toolRequested(state, fact);
    case "permission.asked":
      return permissionAsked(state, fact);
    case "permission.decided":
      return permissionDecided(state, fact);
    case "tool.started":
      return toolStarted(state, fact);
    case "tool.finished":
      return toolFinished(state, fact);
    case "tool.lost":
      return toolLost(state, fact);
    case "tool.probed":
      return toolProbed(state, fact);
    case "job.started":
      return jobStarted(state, fact);
    case "job.ended":
      return jobEnded(state, fact);
    case "budget.reserved":
      return reserved(state, fact);
    case "budget.released":
      return released(state, fact);
    case "memory.changed":
      return memoryChanged(state, fact);
    case "workspace.restored":
    case "hook.ran":
      return state;
    default:
      return unknownFact(fact);
  }
}

const unknownFact = (fact: never): Illegal =>
  illegal(`unknown fact ${String(Reflect.get(Object(fact), "type"))}`);
