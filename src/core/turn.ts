import { askForJson } from "./answer.ts";
import { isFinalTurn, isWarningTurn, spentLimit, type LimitName } from "./budget.ts";
import { isSettled, resultsOf, settledFrom, settleWithText, type Call } from "./call.ts";
import { mustCompact } from "./context.ts";
import { requestId } from "./id.ts";
import { freshPrompt } from "./initial.ts";
import {
  isBlank,
  text,
  type LongText,
  type Message,
  type Text,
  type UserBlock,
} from "./message.ts";
import { modelInUse } from "./model-in-use.ts";
import type { After, Asking, Input, Ladder, Phase, State, Stopped } from "./state.ts";

type Acting = Extract<Phase, { at: "acting" }>;

/** What the user sent, as it joins the conversation. */
export type Sent = Pick<Input, "blocks" | "answerSchema">;

const nothing: Sent = { blocks: [], answerSchema: null };

/** Begins a prompt: its blocks join the conversation, its counters start at zero. The latest schema counts. */
export function beginPrompt(state: State, sent: Sent, seq: number): State {
  const { blocks: all, answerSchema } = together([...state.inbox, sent]);
  const begun: State = {
    ...state,
    inbox: [],
    prompt: { ...freshPrompt, seq, startedAt: state.at, answerSchema },
  };
  return think(all.length > 0 ? addUserMessage(begun, all, seq) : begun);
}

function together(inputs: readonly Sent[]): Sent {
  const answerSchema =
    inputs.findLast((input) => input.answerSchema !== null)?.answerSchema ?? null;
  const said = inputs.flatMap((input) => input.blocks);
  const asksForJson = answerSchema !== null && said.length > 0;
  return { answerSchema, blocks: asksForJson ? [...said, ...askForJson(answerSchema)] : said };
}

/** The conversation, one message longer. `concat` copies a long list three times as fast as spreading it. */
export const withMessage = (state: State, message: Message): State => ({
  ...state,
  messages: state.messages.concat([message]),
});

export function addUserMessage(state: State, blocks: readonly UserBlock[], seq: number): State {
  return withMessage(state, { role: "user", blocks, seq });
}

/** The guards before every model request, in the order turns, cost, interrupt (requirement R28). */
export function think(state: State): State {
  const reached = limitReached(state);
  if (reached === "turns" || reached === "cost") return stopAtLimit(state, reached);
  if (state.interrupt !== null && !state.prompt.timeUp) return stop(state, interrupted);
  if (reached !== null) return stopAtLimit(state, reached);
  if (mustCompact(state)) return compact(state, { at: "thinking" });
  return ask(state, (asking) => ({
    at: "thinking",
    ...asking,
    final: isFinalTurn(state.agent.limits, state.prompt),
    early: [],
  }));
}

/** Goes on, unless what has been spent forbids it; where the run has stopped already only the user's wish counts. */
export function unlessLimit(state: State, after: After, goOn: () => State): State {
  const reached = after.at === "thinking" ? limitReached(state) : null;
  return reached === null ? goOn() : stopAtLimit(state, reached);
}

function limitReached(state: State): LimitName | null {
  const reservedUsd = Object.values(state.budget.reserved).reduce((sum, usd) => sum + usd, 0);
  const { cheapestInputUsd } = modelInUse(state);
  const nextUsd =
    cheapestInputUsd === null ? Number.POSITIVE_INFINITY : state.contextTokens * cheapestInputUsd;
  const spent = spentLimit(state.agent.limits, state.prompt, reservedUsd + nextUsd);
  if (spent === "turns" || spent === "cost") return spent;
  return state.prompt.timeUp ? "time" : spent;
}

/** Summarises the older part of the conversation, then goes where `after` says. */
export function compact(state: State, after: After): State {
  const { prompt } = state;
  const counted: State = { ...state, prompt: { ...prompt, compactions: prompt.compactions + 1 } };
  return unlessLimit(state, after, () =>
    ask(counted, (asking) => ({
      at: "compacting",
      ...asking,
      step: "summarise",
      summary: null,
      after,
    })),
  );
}

/** Owes the model one more request, with an id of its own. */
export function ask(
  state: State,
  phase: (asking: Asking) => Phase,
  { attempt, waitedMs }: Ladder = { attempt: 1, waitedMs: 0 },
): State {
  const requests = state.count.requests + 1;
  return {
    ...state,
    count: { ...state.count, requests },
    phase: phase({ request: requestId(requests), attempt, waitedMs, started: false }),
  };
}

export const interrupted: Stopped = {
  at: "stopped",
  outcome: "interrupted",
  limit: null,
  stop: null,
  failure: null,
  retryAt: null,
};

const stopAtLimit = (state: State, limit: LimitName): State =>
  stop(state, { ...interrupted, outcome: "limit", limit });

/** What an interrupt that has taken effect ends in: the user asked, or the time was up. */
export const stopInterrupted = (state: State): State =>
  state.prompt.timeUp ? stopAtLimit(state, "time") : stop(state, interrupted);

/** The same for what was owed on the way to `after`: a run that had stopped before stays as it had ended. */
export const breakOffTo = (state: State, after: After): State =>
  after.at === "stopped" ? comeToRest(state, after) : stopInterrupted(state);

/**
 * Ends the run. Input that is still queued starts the next prompt, unless a limit or a failure ended this one:
 * then it waits for the user.
 */
export function stop(state: State, phase: Stopped): State {
  const waits = phase.outcome === "limit" || phase.outcome === "failed";
  return waits ? { ...state, phase, interrupt: null } : comeToRest(state, phase);
}

/** Back to a stop, or on to what was queued: where the user asked for something at a stop, nothing waits for it. */
export function comeToRest(state: State, phase: Stopped): State {
  const stopped: State = { ...state, phase, interrupt: null };
  return state.inbox.length === 0 ? stopped : beginPrompt(stopped, nothing, state.seq + 1);
}

/** When the last call of a reply is settled: the results go back in request order, and the loop goes on. */
export function finishActing(state: State, acting: Acting): State {
  const { calls, after } = acting;
  const settled = settledFrom(calls, acting.settled);
  if (settled < calls.length) return { ...state, phase: { ...acting, settled } };
  const goesOn =
    after.at === "thinking" && state.interrupt === null && limitReached(state) === null;
  const steering = goesOn ? together(state.inbox) : nothing;
  const { prompt } = state;
  const steered: State = {
    ...state,
    inbox: goesOn ? [] : state.inbox,
    prompt: { ...prompt, answerSchema: steering.answerSchema ?? prompt.answerSchema },
  };
  const blocks = [...resultsOf(calls), ...steering.blocks, ...(goesOn ? notices(steered) : [])];
  const told = addUserMessage(steered, blocks, state.seq + 1);
  if (after.at === "thinking") return think(told);
  return state.interrupt === null ? stop(told, after) : stopInterrupted(told);
}

/** What the model is told about its limits; part of the message, so that the prefix stays byte-stable. */
function notices(state: State): readonly Text[] {
  const { limits } = state.agent;
  const left = limits.turns - state.prompt.turns;
  if (isFinalTurn(limits, state.prompt)) {
    const handOver =
      state.prompt.answerSchema === null
        ? "Hand over: say what is done, what is not, and what comes next."
        : "Give the final answer now, as JSON of its schema, with what you know.";
    return [
      text(
        `[pawl] This is the last reply before a limit, and tools are off. Do not call tools. ${handOver}`,
      ),
    ];
  }
  if (!isWarningTurn(limits, state.prompt)) return [];
  return [
    text(
      `[pawl] ${state.prompt.turns} of ${limits.turns} turns are used; ${left} remain, the last one without tools. ` +
        "Finish the most important part first.",
    ),
  ];
}

/** Calls that have not begun are not run any more; those under way end by themselves. */
export const dropUnstarted = (calls: readonly Call[], why: string): readonly Call[] =>
  calls.map((call) =>
    isSettled(call) || call.status.at === "started" || call.status.at === "unknown"
      ? call
      : settleWithText(call, "not_run", notRun(call, why)),
  );

/** A call that was lost and is to run anew may have changed something in its first run. */
const notRun = (call: Call, why: string): string =>
  call.attempt === 0
    ? `Not run: ${why}. Nothing was changed by this call.`
    : `Not run again: ${why}.`;

/** The latest answer; blank text is none. */
export const withAnswer = (state: State, answer: LongText): State =>
  isBlank(answer) ? state : { ...state, prompt: { ...state.prompt, answer } };
