import { isRead, nextCalls, settle, settleWithText, type Call, type EffectReport } from "./call.ts";
import type { FactOf } from "./event.ts";
import type { CallId } from "./id.ts";
import { illegal, isIllegal, type Illegal } from "./illegal.ts";
import { text } from "./message.ts";
import { dropUnstarted, finishActing } from "./turn.ts";
import type { State } from "./state.ts";

/** The calls of the reply that streams or of the reply being worked off. */
export function openCalls(state: State): readonly Call[] {
  const { phase } = state;
  if (phase.at === "thinking") return phase.early;
  return phase.at === "acting" ? phase.calls : [];
}

/** @param isNext the call may go on now */
type Move = (call: Call, isNext: boolean) => Call | Illegal;

/** Moves one call, then whatever follows from it: later calls that must not run, the end of the turn. */
function moveCall(state: State, id: CallId, move: Move): State | Illegal {
  const { phase } = state;
  if (phase.at !== "thinking" && phase.at !== "acting") return illegal(`call ${id} is not open`);
  const calls = openCalls(state);
  const next = nextCalls(calls, phase.at === "acting" ? phase.settled : 0);
  const found = next.find(({ call }) => call.id === id);
  const place = found?.place ?? calls.findIndex((call) => call.id === id);
  const call = calls[place];
  if (call === undefined) return illegal(`call ${id} is not open`);
  const moved = move(call, found !== undefined);
  if (isIllegal(moved)) return moved;
  const all = calls.with(place, moved);
  if (phase.at === "thinking") return { ...state, phase: { ...phase, early: all } };
  const followed = breaksOff(moved) ? dropUnstarted(all, callBeforeBroke) : all;
  return finishActing(state, { ...phase, calls: followed });
}

const callBeforeBroke = "the call before it was interrupted, so the model decides what to do next";

/** A change of the world that was broken off: what was to follow may no longer make sense. */
const breaksOff = (call: Call): boolean =>
  call.status.at === "settled" && call.status.outcome === "interrupted" && !isRead(call);

const wrongPlace = (call: Call, wanted: string): Illegal =>
  illegal(`call ${call.id} is ${call.status.at}, not ${wanted}`);

export function permissionAsked(state: State, fact: FactOf<"permission.asked">): State | Illegal {
  return moveCall(state, fact.call, (call, isNext) => {
    if (call.status.at !== "requested") return wrongPlace(call, "requested");
    if (state.phase.at !== "acting") return illegal("nobody is asked while the reply streams");
    if (!isNext) return illegal(`call ${call.id} is not next to run`);
    const { rule, reason, because } = fact;
    return { ...call, status: { at: "asked", rule, reason, because } };
  });
}

export function permissionDecided(
  state: State,
  fact: FactOf<"permission.decided">,
): State | Illegal {
  const decided = moveCall(state, fact.call, (call, isNext) => {
    const { at } = call.status;
    if (at !== "requested" && at !== "asked") return wrongPlace(call, "waiting for a decision");
    if (!isNext) return illegal(`call ${call.id} is not next to run`);
    if (state.phase.at !== "acting" && fact.verdict === "deny") {
      return illegal("a call is only allowed, or left open, while the reply streams");
    }
    if (fact.verdict === "deny") return settleWithText(call, "denied", deniedText(fact));
    const { input, stamp } = fact.edited ?? call;
    if ("invalid" in stamp) return settleWithText(call, "error", stamp.invalid);
    const allowed: Call = { ...call, input, stamp, status: { at: "allowed" } };
    return isRead(call) && !isRead(allowed) ? settleWithText(call, "error", noLongerRead) : allowed;
  });
  if (isIllegal(decided)) return decided;
  const granted: State =
    fact.grant === null ? decided : { ...decided, grants: [...decided.grants, fact.grant] };
  const isDenied = fact.verdict === "deny";
  const call = isDenied ? openCalls(state).find((open) => open.id === fact.call) : undefined;
  return call === undefined ? granted : recordDenial(state, { decided: granted, fact, call });
}

interface Denying {
  /** What holds after the decision. */
  readonly decided: State;
  readonly fact: FactOf<"permission.decided">;
  readonly call: Call;
}

function recordDenial(before: State, { decided, fact, call }: Denying): State {
  const denial = { call: fact.call, tool: call.tool, rule: fact.rule, reason: fact.reason };
  // A denial that ends the prompt and begins the next one belongs to the prompt it was made in.
  if (decided.prompt.seq > before.seq) return decided;
  return {
    ...decided,
    prompt: { ...decided.prompt, denials: [...decided.prompt.denials, denial] },
  };
}

/** Other reads may run beside it already, so it cannot become something that runs alone. */
const noLongerRead =
  "Not run: this call was to read, and would now change something. Nothing was changed. Send it again.";

const deniedText = (fact: FactOf<"permission.decided">): string =>
  `Denied (${fact.rule}): ${fact.reason}. It was not run and nothing was changed. Do not try the same again; ` +
  "find another way, or say what you need and why.";

export function toolStarted(state: State, fact: FactOf<"tool.started">): State | Illegal {
  return moveCall(state, fact.call, (call, isNext) => {
    if (call.status.at !== "allowed") return wrongPlace(call, "allowed");
    if (fact.attempt !== call.attempt + 1)
      return illegal(`attempt ${fact.attempt} is out of order`);
    if (!isNext) return illegal(`call ${call.id} is not next to run`);
    const { recovery, intent } = fact;
    return { ...call, attempt: fact.attempt, status: { at: "started", recovery, intent } };
  });
}

export function toolFinished(state: State, fact: FactOf<"tool.finished">): State | Illegal {
  return moveCall(changed(state, fact), fact.call, (call) => {
    if (call.status.at !== "started") return wrongPlace(call, "started");
    if (fact.attempt !== call.attempt)
      return illegal(`attempt ${fact.attempt} is not the running one`);
    return settle(call, fact.outcome, fact.content);
  });
}

/** What an ended call changed: files and documents. */
function changed(
  state: State,
  end: { readonly effects: readonly EffectReport[]; readonly docs?: State["docs"] },
): State {
  const paths = end.effects
    .flatMap(changedPaths)
    .filter((path) => !state.filesModified.includes(path));
  const { docs = {} } = end;
  if (paths.length === 0 && Object.keys(docs).length === 0) return state;
  return {
    ...state,
    filesModified: [...state.filesModified, ...new Set(paths)],
    docs: { ...state.docs, ...docs },
  };
}

function changedPaths(effect: EffectReport): readonly string[] {
  if (effect.type === "file_written" || effect.type === "file_deleted") return [effect.path];
  return effect.type === "process_ran" ? effect.changed : [];
}

/** The process that ran it is gone: what may be done now is the call's recovery class. */
export function toolLost(state: State, fact: FactOf<"tool.lost">): State | Illegal {
  return moveCall(state, fact.call, (call) => {
    const { status } = call;
    if (status.at !== "started") return wrongPlace(call, "started");
    if (fact.attempt !== call.attempt)
      return illegal(`attempt ${fact.attempt} is not the running one`);
    switch (status.recovery) {
      case "rerun":
        return state.interrupt === null
          ? { ...call, status: { at: "allowed" } }
          : settleWithText(call, "interrupted", "Interrupted by the user.");
      case "probe":
        return { ...call, status: { at: "unknown", intent: status.intent } };
      case "never":
        return settleWithText(call, "interrupted", mayHaveHappened(call));
      default:
        return status.recovery satisfies never;
    }
  });
}

const mayHaveHappened = (call: Call): string =>
  `The program died while ${call.tool} ran. It may have happened, wholly, partly or not at all, and nobody can ` +
  "tell. It was not run again. Look at the real state before you decide.";

export function toolProbed(state: State, fact: FactOf<"tool.probed">): State | Illegal {
  const known = fact.end === null ? state : changed(state, fact.end);
  return moveCall(known, fact.call, (call) => {
    const { status } = call;
    if (status.at !== "unknown") return wrongPlace(call, "unknown");
    switch (fact.verdict) {
      case "happened":
        return settleProbed(call, fact);
      case "did_not_happen":
        return state.interrupt === null
          ? { ...call, status: { at: "allowed" } }
          : settleWithText(call, "not_run", `Not run: ${fact.evidence}. The user interrupted.`);
      case "running":
        return {
          ...call,
          attempt: call.attempt + 1,
          status: { at: "started", recovery: "probe", intent: status.intent },
        };
      case "undetermined":
        return settle(call, "interrupted", [
          text(`${mayHaveHappened(call)} Evidence: ${fact.evidence}`),
          ...(fact.end?.content ?? []),
        ]);
      default:
        return fact.verdict satisfies never;
    }
  });
}

function settleProbed(call: Call, fact: FactOf<"tool.probed">): Call {
  const { end, evidence } = fact;
  return end === null
    ? settleWithText(call, "ok", `It had happened before the program died: ${evidence}`)
    : settle(call, end.outcome, end.content);
}
