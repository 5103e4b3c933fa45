// 313 lines: one file holds everything a reply can do to the state; splitting it would part the table from its moves.
import { charge } from "./budget.ts";
import { isSettled, isToolUse, newCall, settleWithText, type Call, type Stamp } from "./call.ts";
import type { FactOf } from "./event.ts";
import { retryDelayMs } from "./failure.ts";
import { backoffTimer, callId, type RequestId } from "./id.ts";
import { sameJson } from "./json.ts";
import {
  plainText,
  text,
  totalTokens,
  type AssistantBlock,
  type LongText,
  type ToolUse,
} from "./message.ts";
import { judgeReply, type Judgement } from "./reply.ts";
import { isIllegal, illegal, type Illegal } from "./illegal.ts";
import type { After, Phase, State, Stopped } from "./state.ts";
import {
  ask,
  compact,
  dropUnstarted,
  finishActing,
  interrupted,
  maxCompactions,
  stop,
  stopInterrupted,
  think,
  withAnswer,
} from "./turn.ts";

/** Pauses (server-side tools) in a row before the loop gives up on the reply. */
const maxPauses = 10;
/** Replies in a row cut inside a call before the loop gives up (field case P10). */
const maxCutReplies = 2;

type Waiting = Extract<Phase, { at: "thinking" | "compacting" }>;

/** The phase that waits for this request, or why there is none. */
function waitingFor(state: State, request: RequestId): Waiting | Illegal {
  const { phase } = state;
  if (phase.at !== "thinking" && !(phase.at === "compacting" && phase.step === "summarise")) {
    return illegal(`no request is owed in phase ${phase.at}`);
  }
  return phase.request === request ? phase : illegal(`request ${request} is not the one owed`);
}

export function requestStarted(state: State, fact: FactOf<"request.started">): State | Illegal {
  const waiting = waitingFor(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  if (waiting.started) return illegal(`request ${fact.request} has begun already`);
  return { ...state, phase: { ...waiting, started: true } };
}

/** The process died while the reply streamed: the same is asked again, unless the user had stopped it. */
export function requestLost(state: State, fact: FactOf<"request.lost">): State | Illegal {
  const waiting = waitingFor(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  if (!waiting.started) return illegal(`request ${fact.request} had not begun`);
  if (state.interrupt !== null) return stopInterrupted(withPartial(state, fact.partial));
  return ask(state, (asking) => again(waiting, asking), waiting.attempt);
}

const again = (
  waiting: Waiting,
  asking: { request: RequestId; attempt: number; started: false },
): Phase =>
  waiting.at === "thinking" ? { ...waiting, ...asking, early: [] } : { ...waiting, ...asking };

export function requestFailed(state: State, fact: FactOf<"request.failed">): State | Illegal {
  const waiting = waitingFor(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  if (!waiting.started) return illegal(`request ${fact.request} had not begun`);
  const charged = fact.usage === null ? state : addCharge(state, { ...fact, turns: 0 });
  if (state.interrupt !== null) return stopInterrupted(withPartial(charged, fact.partial));
  const { failure } = fact;
  const seen = withAnswer(charged, fact.partial);
  if (waiting.at === "thinking" && failure.class === "context_overflow") {
    if (state.prompt.compactions < maxCompactions) return compact(seen, { at: "thinking" });
  }
  const delayMs = retryDelayMs(failure, waiting.attempt, fact.jitter);
  if (delayMs === null) return giveUp(seen, waiting, fact);
  return {
    ...seen,
    phase: {
      at: "backing_off",
      timer: backoffTimer(fact.request),
      until: seen.at + delayMs,
      attempt: waiting.attempt,
      purpose: waiting.at === "thinking" ? "turn" : "compaction",
      final: waiting.at === "thinking" && waiting.final,
      after: waiting.at === "compacting" ? waiting.after : { at: "thinking" },
      cause: failure,
    },
  };
}

function giveUp(state: State, waiting: Waiting, fact: FactOf<"request.failed">): State {
  // No summary can be had: the oldest messages are dropped instead, so that the session is never stuck.
  if (waiting.at === "compacting") return { ...state, phase: { ...waiting, step: "cut" } };
  const { failure } = fact;
  const outcome = failure.class === "content_filter" ? "refused" : "failed";
  return stop(state, { ...interrupted, outcome, failure });
}

/** Text of an interrupted reply stays in the conversation, so that the user can say "go on". */
function withPartial(state: State, partial: FactOf<"request.failed">["partial"]): State {
  if (typeof partial === "string" && partial.trim() === "") return state;
  const message = {
    role: "assistant",
    model: state.agent.model,
    blocks: [text(partial)],
    seq: state.seq + 1,
    partial: true,
  } as const;
  return withAnswer({ ...state, messages: [...state.messages, message] }, partial);
}

interface Billed {
  readonly turns: number;
  readonly usage: FactOf<"response.received">["usage"] | null;
  readonly costUsd: number | null;
}

function addCharge(state: State, billed: Billed): State {
  if (billed.usage === null) return state;
  const cost = { turns: billed.turns, usage: billed.usage, costUsd: billed.costUsd };
  return { ...state, budget: charge(state.budget, cost), prompt: charge(state.prompt, cost) };
}

export function responseReceived(state: State, fact: FactOf<"response.received">): State | Illegal {
  const waiting = waitingFor(state, fact.request);
  if (isIllegal(waiting)) return waiting;
  if (!waiting.started) return illegal(`request ${fact.request} had not begun`);
  const problem = misnamedCall(fact, waiting);
  if (problem !== null) return illegal(problem);
  const charged = {
    ...addCharge(state, { ...fact, turns: waiting.at === "thinking" ? 1 : 0 }),
    contextTokens: totalTokens(fact.usage),
  };
  if (waiting.at === "compacting") return summaryReceived(charged, waiting, fact);
  const judged = judgeReply(fact.blocks, fact.stop);
  return judged.next === "compact"
    ? windowFull(charged, fact)
    : act(recordReply(charged, fact, judged), waiting, { fact, judged });
}

function misnamedCall(fact: FactOf<"response.received">, waiting: Waiting): string | null {
  const early = waiting.at === "thinking" ? waiting.early : [];
  const uses = fact.blocks.filter(isToolUse);
  const wrong = uses.find((use, index) => use.call !== callId(fact.request, index));
  if (wrong !== undefined) return `call ${wrong.call} does not bear the id of its place`;
  const unstamped = uses.find(
    (use) => !Object.hasOwn(fact.stamps, use.call) && !early.some((call) => call.id === use.call),
  );
  return unstamped === undefined ? null : `call ${unstamped.call} has no stamp`;
}

function summaryReceived(
  state: State,
  waiting: Extract<Waiting, { at: "compacting" }>,
  fact: FactOf<"response.received">,
): State {
  if (state.interrupt !== null) return stopInterrupted(state);
  return { ...state, phase: { ...waiting, step: "cut", summary: answerOf(fact.blocks) } };
}

/** The reply ran into the end of the window: it is asked for anew after a cut, a bounded number of times. */
function windowFull(state: State, fact: FactOf<"response.received">): State {
  const seen = withAnswer(state, answerOf(fact.blocks) ?? "");
  if (state.interrupt !== null) return stopInterrupted(seen);
  return state.prompt.compactions < maxCompactions
    ? compact(seen, { at: "thinking" })
    : stop(seen, { ...interrupted, outcome: "truncated", stop: fact.stop });
}

function recordReply(state: State, fact: FactOf<"response.received">, judged: Judgement): State {
  const { prompt } = state;
  const message = {
    role: "assistant",
    model: fact.model,
    blocks: fact.blocks,
    seq: state.seq + 1,
    partial: false,
  } as const;
  return {
    ...state,
    messages: fact.blocks.length === 0 ? state.messages : [...state.messages, message],
    prompt: {
      ...prompt,
      answer: answerOf(fact.blocks) ?? prompt.answer,
      warnings: [...prompt.warnings, ...fact.warnings, ...judged.warnings],
      cutReplies: judged.cut ? prompt.cutReplies + 1 : 0,
      pauses: judged.next === "resume" ? prompt.pauses + 1 : 0,
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
  return joined.trim() === "" ? null : joined;
}

function act(
  state: State,
  waiting: Extract<Waiting, { at: "thinking" }>,
  reply: { readonly fact: FactOf<"response.received">; readonly judged: Judgement },
): State {
  const { fact, judged } = reply;
  const uses = fact.blocks.filter(isToolUse);
  const after = whereNext(state, waiting, reply);
  if (uses.length === 0) {
    if (after.at === "stopped") return stop(state, after);
    return think(state);
  }
  const calls = uses.map((use, index) =>
    admitCall(use, {
      judged,
      final: waiting.final,
      callsLeft: callsLeft(state) - index,
      stamp: fact.stamps[use.call] ?? { invalid: "the call has no stamp" },
      early: waiting.early.find((call) => call.id === use.call),
    }),
  );
  const limit = state.agent.limits.toolCalls ?? Number.POSITIVE_INFINITY;
  const counted = Math.min(uses.length, Math.max(0, limit - state.prompt.toolCalls));
  const acting: State = {
    ...state,
    budget: { ...state.budget, toolCalls: state.budget.toolCalls + counted },
    prompt: { ...state.prompt, toolCalls: state.prompt.toolCalls + counted },
    phase: {
      at: "acting",
      after,
      calls: state.interrupt === null ? calls : dropUnstarted(calls, "the user interrupted"),
    },
  };
  return finishActing(acting);
}

const callsLeft = (state: State): number =>
  (state.agent.limits.toolCalls ?? Number.POSITIVE_INFINITY) - state.prompt.toolCalls;

function whereNext(
  state: State,
  waiting: Extract<Waiting, { at: "thinking" }>,
  reply: { readonly fact: FactOf<"response.received">; readonly judged: Judgement },
): After {
  const { judged, fact } = reply;
  const end = (outcome: Stopped["outcome"]): Stopped => ({
    ...interrupted,
    outcome,
    stop: fact.stop,
  });
  if (judged.next === "refused" || judged.next === "unknown_stop") return end(judged.next);
  if (waiting.final) {
    const turnsUp = state.prompt.turns >= state.agent.limits.turns;
    return { ...end("limit"), limit: turnsUp ? "turns" : "tool_calls" };
  }
  if (judged.next === "completed" || judged.next === "truncated") return end(judged.next);
  if (state.prompt.cutReplies >= maxCutReplies || state.prompt.pauses >= maxPauses) {
    return end("truncated");
  }
  return { at: "thinking" };
}

interface Admission {
  readonly judged: Judgement;
  readonly final: boolean;
  readonly callsLeft: number;
  readonly stamp: Stamp;
  readonly early: Call | undefined;
}

/** A call enters the loop: run early already, refused by the table, invalid, over a limit, or to be judged. */
function admitCall(use: ToolUse, how: Admission): Call {
  const { early } = how;
  const adopted =
    early !== undefined && early.tool === use.tool && sameJson(early.input, use.input);
  // A reply that began anew may put another call in an early one's place: its next attempt has a new number.
  const call = adopted ? early : { ...newCall(use, how.stamp), attempt: early?.attempt ?? 0 };
  const refusal = how.judged.refused[use.call];
  if (refusal !== undefined) {
    const outcome = how.judged.next === "run" ? "error" : "not_run";
    return settleWithText(call, outcome, refusal);
  }
  if (isSettled(call)) return call;
  if (how.final) return settleWithText(call, "not_run", "Not run: tools are off in this reply.");
  if (how.callsLeft <= 0) {
    return settleWithText(call, "not_run", "Not run: the limit of tool calls is reached.");
  }
  return "invalid" in call.stamp ? settleWithText(call, "error", call.stamp.invalid) : call;
}

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
  if (phase.early.some((call) => call.id === fact.call))
    return illegal(`${fact.call} is known already`);
  const { call: id, tool, input, stamp } = fact;
  const call: Call = { id, tool, input, stamp, attempt: 0, status: { at: "requested" } };
  return { ...state, phase: { ...phase, early: [...phase.early, call] } };
}
