import type { LimitName } from "./budget.ts";
import { openCalls } from "./call-facts.ts";
import { modelInUse } from "./model-in-use.ts";
import type { LongText, Stop, Usage } from "./message.ts";
import type { Denial, RunOutcome, State, Stopped } from "./state.ts";

/** What a run came to: a view of the state, the same for every face (contract, section 3). */
export interface RunResult {
  readonly outcome: RunOutcome | "waiting";
  readonly limit: LimitName | null;
  readonly stop: Stop | null;
  /** The answer, whole or as far as it came; at a limit it says so. */
  readonly text: LongText;
  /** One sentence on why it ended, when that is not plain completion. */
  readonly note: string | null;
  readonly warnings: readonly string[];
  readonly turns: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  /** null when a reply's price is unknown. */
  readonly costUsd: number | null;
  readonly filesModified: readonly string[];
  readonly denials: readonly Denial[];
  /** Time spent on anything but waiting for a person. */
  readonly durationMs: number;
}

/** The result of the current or last prompt. A run that still waits for an answer is `waiting`. */
export function resultOfRun(state: State): RunResult {
  const { phase, prompt } = state;
  const stopped = phase.at === "stopped" ? phase : null;
  const note = noteOf(state);
  const warnings = note === null ? prompt.warnings : [...prompt.warnings, note];
  return {
    outcome: stopped?.outcome ?? "waiting",
    limit: stopped?.limit ?? null,
    stop: stopped?.stop ?? null,
    text: stopped?.outcome === "limit" ? withNote(prompt.answer, note ?? "") : prompt.answer,
    note,
    warnings,
    turns: prompt.turns,
    toolCalls: prompt.toolCalls,
    usage: prompt.usage,
    costUsd: prompt.unpriced > 0 ? null : prompt.costUsd,
    filesModified: state.filesModified,
    denials: prompt.denials,
    durationMs: prompt.activeMs,
  };
}

function withNote(answer: LongText, note: string): LongText {
  if (typeof answer !== "string") return answer;
  return answer.trim() === "" ? note : `${answer}\n\n${note}`;
}

function noteOf(state: State): string | null {
  const { phase } = state;
  if (phase.at !== "stopped") {
    const asked = openCalls(state).filter((call) => call.status.at === "asked");
    return asked.length === 0
      ? null
      : `Waiting for permission: ${asked.map((call) => `${call.tool} (${call.id})`).join(", ")}.`;
  }
  switch (phase.outcome) {
    case "completed":
      return null;
    case "truncated":
      return 'The answer was cut by the output limit. Say "continue" to get the rest.';
    case "refused":
      return "The model or its provider refused to go on.";
    case "interrupted":
      return "Interrupted. Nothing is lost; the session can go on.";
    case "limit":
      return limitNote(state, phase.limit);
    case "failed":
      return failureNote(phase, state.at);
    case "unknown_stop":
      return `The reply ended for a reason this version does not know (${phase.stop?.raw ?? "none given"}). What had arrived is kept.`;
    default:
      return phase.outcome satisfies never;
  }
}

/** A price is unknown, of what was used or of the model that is next: then no limit of cost can be kept. */
export const isCostUnknown = (state: State): boolean =>
  state.prompt.unpriced > 0 || modelInUse(state).cheapestInputUsd === null;

function failureNote({ failure, retryAt }: Stopped, at: number): string {
  if (failure === null) return "The request failed.";
  if (retryAt === null) return failure.message;
  const minutes = Math.max(1, Math.ceil((retryAt - at) / 60_000));
  return `${failure.message} That is too long to wait here: go on in ${minutes} min.`;
}

const advice =
  "Split the task into smaller ones, try another approach, or go on from here with a higher limit.";

const counted = (count: number | null, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

function limitNote(state: State, limit: LimitName | null): string {
  const { limits } = state.agent;
  switch (limit) {
    case "turns":
      return `Stopped by itself at the limit of ${counted(limits.turns, "turn")}. ${advice}`;
    case "cost":
      if (isCostUnknown(state)) {
        return `Stopped by itself: the cost limit of $${limits.costUsd} cannot be kept, because a price is unknown (model ${state.agent.model}). Limit tokens or turns instead, or use another model.`;
      }
      return `Stopped by itself at the cost limit of $${limits.costUsd} (spent $${state.prompt.costUsd.toFixed(4)}). ${advice}`;
    case "tokens":
      return `Stopped by itself at the limit of ${counted(limits.tokens, "token")}. ${advice}`;
    case "tool_calls":
      return `Stopped by itself at the limit of ${counted(limits.toolCalls, "tool call")}. ${advice}`;
    case "time":
      return `Stopped by itself at the time limit of ${Math.round((limits.timeMs ?? 0) / 1000)} s. ${advice}`;
    case "no_progress":
    case null:
      return `Stopped by itself: no progress. ${advice}`;
    default:
      return limit satisfies never;
  }
}
