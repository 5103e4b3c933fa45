// Over 250 lines: one file holds everything a reply can do to the state; splitting it would part the table from its moves.
import { askAgain, maxAnswerRepairs, misfit } from "./answer.ts";
import { charge, type Charge, type LimitName } from "./budget.ts";
import { isSettled, isToolUse, mostAtOnce, newCall, settleWithText, type Call } from "./call.ts";
import { canCompact } from "./context.ts";
import type { FactOf } from "./event.ts";
import { isPassing, retryDelayMs, type Failure } from "./failure.ts";
import { backoffTimer, callId, type RequestId } from "./id.ts";
import { sameJson } from "./json.ts";
import {
  isBlank,
  plainText,
  text,
  totalTokens,
  type AssistantBlock,
  type LongText,
  type Stop,
} from "./message.ts";
import { judgeReply, type Judgement } from "./reply.ts";
import { isIllegal, illegal, type Illegal } from "./illegal.ts";
import { modelInUse } from "./model-in-use.ts";
import {
  lastAdvice,
  leavesOutReasoning,
  reasoningLeftOut,
  withRemedy,
  withWarning,
} from "./remedy.ts";
import type { After, Asking, Phase, State, Stopped } from "./state.ts";
import {
  addUserMessage,
  ask,
  breakOffTo,
  compact,
  dropUnstarted,
  finishActing,
  interrupted,
  stop,
  stopInterrupted,
  think,
  unlessLimit,
  withAnswer,
  withMessage,
} from "./turn.ts";

/** Pauses (server-side tools) in a row before the loop gives up on the reply. */
const maxPauses = 10;
/** Replies in a row cut inside a call before the loop gives up (field case P10). */
const maxCutReplies = 2;

type Waiting = Extract<Phase, { at: "thinking" | "compacting" }>;
type Thinking = Extract<Phase, { at: "thinking" }>;

/** The phase that waits for this request, or why there is none. */
function waitingFor(state: State, request: RequestId): Waiting | Illegal {
  const { phase } = state;
  if (phase.at !== "thinking" && !(phase.at === "compacting" && phase.step === "summarise")) {
    return illegal(`no request is owed in phase ${phase.at}`);
  }
  return phase.request === request ? phase : illegal(`request ${request} is not the one owed`);
}

/** The phase whose reply streams. */
function streaming(state: State, request: RequestId): Waiting | Illegal {
  const waiting = waitingFor(state, request);
  return isIllegal(waiting) || waiting.started
    ? waiting
    : illegal(`request ${request} had not begun`);
}

export function requestStarted(state: State, fact: FactOf<"request.started">): State | Illegal {
  const waiting = waitingFor(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  if (waiting.started) return illegal(`request ${fact.request} has begun already`);
  const begun: State = { ...state, lastModel: fact.model, phase: { ...waiting, started: true } };
  const isOther = state.lastModel !== fact.model;
  return isOther && leavesOutReasoning(state, fact.model)
    ? withWarning(begun, reasoningLeftOut(fact.model))
    : begun;
}

/** The process died while the reply streamed: the same is asked again, unless the user had stopped it. */
export function requestLost(state: State, fact: FactOf<"request.lost">): State | Illegal {
  const waiting = streaming(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  if (state.interrupt !== null) return breakOff(state, waiting, fact.partial);
  return ask(state, (asking) => again(waiting, asking), waiting);
}

const again = (waiting: Waiting, asking: Asking): Phase =>
  waiting.at === "thinking" ? { ...waiting, ...asking, early: [] } : { ...waiting, ...asking };

export function requestFailed(state: State, fact: FactOf<"request.failed">): State | Illegal {
  const waiting = streaming(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  const { failure, usage, costUsd } = fact;
  const charged = usage === null ? state : addCharge(state, { turns: 0, usage, costUsd });
  if (state.interrupt !== null) return breakOff(charged, waiting, fact.partial);
  const seen = waiting.at === "thinking" ? withAnswer(charged, fact.partial) : charged;
  if (fact.remedy !== null) return askOtherwise(withRemedy(seen, fact.remedy), waiting);
  if (waiting.at === "thinking" && failure.class === "context_overflow" && canCompact(seen)) {
    return compact(seen, { at: "thinking" });
  }
  const delayMs = retryDelayMs(failure, waiting, fact.jitter);
  if (delayMs === null) return giveUp(seen, waiting, failure);
  return {
    ...seen,
    phase: {
      at: "backing_off",
      timer: backoffTimer(fact.request),
      until: seen.at + delayMs,
      attempt: waiting.attempt,
      waitedMs: waiting.waitedMs + delayMs,
      purpose: waiting.at === "thinking" ? "turn" : "compaction",
      final: waiting.at === "thinking" && waiting.final,
      after: waiting.at === "compacting" ? waiting.after : { at: "thinking" },
      cause: failure,
    },
  };
}

/** The request is asked anew, as the remedy has changed it; the attempts begin anew too. */
function askOtherwise(state: State | Illegal, waiting: Waiting): State | Illegal {
  if (isIllegal(state)) return state;
  if (waiting.at === "thinking") return think(state);
  return unlessLimit(state, waiting.after, () => ask(state, (asking) => again(waiting, asking)));
}

function giveUp(state: State, waiting: Waiting, failure: Failure): State {
  // No summary can be had: the oldest messages are dropped instead, so that the session is never stuck.
  if (waiting.at === "compacting") return { ...state, phase: { ...waiting, step: "cut" } };
  const { retryAfterMs } = failure;
  const outcome = failure.class === "content_filter" ? "refused" : "failed";
  const isTooLong = isPassing(failure) && retryAfterMs !== null;
  return stop(state, {
    ...interrupted,
    outcome,
    failure: { ...failure, message: `${failure.message}${lastAdvice(failure)}` },
    retryAt: isTooLong ? state.at + retryAfterMs : null,
  });
}

/** Text of an interrupted reply stays in the conversation, so that the user can say "go on". */
function breakOff(state: State, waiting: Waiting, partial: LongText): State {
  if (waiting.at === "compacting") return breakOffTo(state, waiting.after);
  if (isBlank(partial)) return stopInterrupted(state);
  const message = {
    role: "assistant",
    model: modelInUse(state).model,
    blocks: [text(partial)],
    seq: state.seq + 1,
    partial: true,
  } as const;
  const told = withMessage(state, message);
  return stopInterrupted(withAnswer(told, partial));
}

const addCharge = (state: State, billed: Charge): State => ({
  ...state,
  budget: charge(state.budget, billed),
  prompt: charge(state.prompt, billed),
});

export function responseReceived(state: State, fact: FactOf<"response.received">): State | Illegal {
  const waiting = streaming(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  const calls = namedCalls(fact);
  if (isIllegal(calls)) return calls;
  const { usage, costUsd } = fact;
  const charged = {
    ...addCharge(state, { turns: waiting.at === "thinking" ? 1 : 0, usage, costUsd }),
    contextTokens: totalTokens(usage),
  };
  if (waiting.at === "compacting") return summaryReceived(charged, waiting, fact);
  const judged = judgeReply(fact.blocks, fact.stop);
  if (judged.next === "compact") return windowFull(charged, fact);
  const isAnswer = state.prompt.answerSchema !== null && judged.next === "completed";
  if (isAnswer && fact.answer === undefined) {
    return illegal("the answer was not held against its schema");
  }
  const problem = (isAnswer ? fact.answer?.problem : null) ?? null;
  const reply = { stop: fact.stop, judged, calls, problem };
  return act(recordReply(charged, fact, reply), waiting, reply);
}

/** The calls of a reply, as they would begin; each bears the id of its place and a stamp. */
function namedCalls(fact: FactOf<"response.received">): readonly Call[] | Illegal {
  const calls: Call[] = [];
  for (const [index, use] of fact.blocks.filter(isToolUse).entries()) {
    const id = callId(fact.request, index);
    if (use.call !== id) return illegal(`call ${use.call} does not bear the id of its place`);
    const stamp = fact.stamps[id];
    if (stamp === undefined) return illegal(`call ${id} has no stamp`);
    calls.push(newCall(use, stamp));
  }
  return calls;
}

function summaryReceived(
  state: State,
  waiting: Extract<Waiting, { at: "compacting" }>,
  fact: FactOf<"response.received">,
): State {
  if (state.interrupt !== null) return breakOffTo(state, waiting.after);
  return { ...state, phase: { ...waiting, step: "cut", summary: answerOf(fact.blocks) } };
}

/** The reply ran into the end of the window: it is asked for anew after a cut, a bounded number of times. */
function windowFull(state: State, fact: FactOf<"response.received">): State {
  const seen = withAnswer(state, answerOf(fact.blocks) ?? "");
  if (state.interrupt !== null) return stopInterrupted(seen);
  return canCompact(seen)
    ? compact(seen, { at: "thinking" })
    : stop(seen, { ...interrupted, outcome: "truncated", stop: fact.stop });
}

function recordReply(
  state: State,
  fact: FactOf<"response.received">,
  { judged, problem }: Reply,
): State {
  const { prompt } = state;
  const isFit = prompt.answerSchema !== null && judged.next === "completed" && problem === null;
  const message = {
    role: "assistant",
    model: fact.model,
    blocks: fact.blocks,
    seq: state.seq + 1,
    partial: false,
  } as const;
  return {
    ...(fact.blocks.length === 0 ? state : withMessage(state, message)),
    prompt: {
      ...prompt,
      answer: answerOf(fact.blocks) ?? prompt.answer,
      answerFits: isFit,
      misfits: problem === null ? 0 : prompt.misfits + 1,
      warnings: [...prompt.warnings, ...fact.warnings, ...judged.warnings],
      cutReplies: judged.cut ? prompt.cutReplies + 1 : 0,
      pauses: judged.next === "resume" ? prompt.pauses + 1 : 0,
      badCalls: 0,
      compactions: 0,
    },
  };
}

/** The text of a reply; one too long for a journal line is a blob reference. Null when there is none. */
function answerOf(blocks: readonly AssistantBlock[]): LongText | null {
  const texts = blocks.filter((block) => block.type === "text");
  const long = texts.find((block) => typeof block.text !== "string");
  if (long !== undefined) return long.text;
  const joined = plainText(texts);
  return isBlank(joined) ? null : joined;
}

/** A reply, judged, and its calls as they would begin. */
interface Reply {
  readonly stop: Stop;
  readonly judged: Judgement;
  readonly calls: readonly Call[];
  /** Why it is not the answer that was asked for; null when it is, or may be. */
  readonly problem: string | null;
}

function act(state: State, waiting: Thinking, reply: Reply): State {
  const after = whereNext(state, waiting, reply);
  const asked = reply.calls.length;
  if (asked === 0) {
    if (after.at === "stopped") return stop(state, after);
    const { problem } = reply;
    return think(
      problem === null ? state : addUserMessage(state, [askAgain(problem)], state.seq + 1),
    );
  }
  const calls = admitCalls(state, waiting, reply);
  const counted = Math.min(asked, callsLeft(state));
  const counting: State = {
    ...state,
    budget: { ...state.budget, toolCalls: state.budget.toolCalls + counted },
    prompt: { ...state.prompt, toolCalls: state.prompt.toolCalls + counted },
  };
  return finishActing(counting, {
    at: "acting",
    after,
    settled: 0,
    calls: state.interrupt === null ? calls : dropUnstarted(calls, "the user interrupted"),
  });
}

const callsLeft = ({ agent, prompt }: State): number =>
  Math.max(0, (agent.limits.toolCalls ?? Number.POSITIVE_INFINITY) - prompt.toolCalls);

function whereNext(state: State, waiting: Thinking, reply: Reply): After {
  const { judged } = reply;
  const end = (outcome: Stopped["outcome"]): Stopped => ({
    ...interrupted,
    outcome,
    stop: reply.stop,
  });
  if (judged.next === "refused" || judged.next === "unknown_stop") return end(judged.next);
  const limit = waiting.final ? limitThatHolds(state) : null;
  if (limit !== null) return { ...end("limit"), limit };
  if (reply.problem !== null) {
    const isHopeless = state.prompt.misfits > maxAnswerRepairs;
    return isHopeless ? { ...end("failed"), failure: misfit(reply.problem) } : { at: "thinking" };
  }
  if (judged.next === "completed" || judged.next === "truncated") return end(judged.next);
  if (state.prompt.cutReplies >= maxCutReplies || state.prompt.pauses >= maxPauses) {
    return end("truncated");
  }
  return { at: "thinking" };
}

/** Why the reply was the last one; null when the limits were raised while it streamed. */
function limitThatHolds(state: State): LimitName | null {
  if (state.prompt.turns >= state.agent.limits.turns) return "turns";
  return callsLeft(state) === 0 ? "tool_calls" : null;
}

/** Calls enter the loop: run early already, refused by the table, invalid, over a limit, or to be judged. */
function admitCalls(state: State, waiting: Thinking, reply: Reply): readonly Call[] {
  const { early } = waiting;
  // From the first call on that is not what ran early, nothing that ran early may be taken over: a read might
  // then have run before a write that stands in front of it.
  const differs = reply.calls.findIndex((call, index) => !isSameCall(call, early[index]));
  const left = callsLeft(state);
  return reply.calls.map((fresh, index) => {
    const ranEarly = early[index];
    const isAdopted = ranEarly !== undefined && (differs < 0 || index < differs);
    // A reply that began anew may put another call in an early one's place: its next attempt has a new number.
    const call = isAdopted ? ranEarly : { ...fresh, attempt: ranEarly?.attempt ?? 0 };
    const refusal = reply.judged.refused[call.id];
    if (refusal !== undefined) {
      const outcome = reply.judged.next === "run" ? "error" : "not_run";
      return settleWithText(call, outcome, refusal);
    }
    if (isSettled(call) || call.status.at === "started") return call;
    if (waiting.final)
      return settleWithText(call, "not_run", "Not run: tools are off in this reply.");
    if (index >= left) {
      return settleWithText(call, "not_run", "Not run: the limit of tool calls is reached.");
    }
    return "invalid" in call.stamp ? settleWithText(call, "error", call.stamp.invalid) : call;
  });
}

const isSameCall = (call: Call, early: Call | undefined): boolean =>
  early !== undefined && early.tool === call.tool && sameJson(early.input, call.input);

/** A read whose block is complete joins the calls that may start while the reply streams. */
export function toolRequested(state: State, fact: FactOf<"tool.requested">): State | Illegal {
  const { phase } = state;
  if (phase.at !== "thinking" || !phase.started || phase.request !== fact.request) {
    return illegal("early calls belong to the reply that streams");
  }
  if ("invalid" in fact.stamp || fact.stamp.access !== "read") {
    return illegal("only reads may start early");
  }
  if (phase.final || state.interrupt !== null) return illegal("no call may start any more");
  // All calls before it are early reads as well, so no write is overtaken.
  if (fact.call !== callId(fact.request, phase.early.length)) {
    return illegal(`call ${fact.call} is not the next of the reply`);
  }
  if (phase.early.length >= mostAtOnce) return illegal("enough calls run early");
  if (phase.early.length >= callsLeft(state)) return illegal("the limit of tool calls is reached");
  const { call: id, tool, input, stamp } = fact;
  const call: Call = { id, tool, input, stamp, attempt: 0, status: { at: "requested" } };
  return { ...state, phase: { ...phase, early: [...phase.early, call] } };
}
