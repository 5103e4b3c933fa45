import { isToolUse } from "./call.ts";
import type { CallId } from "./id.ts";
import type { AssistantBlock, Stop, ToolUse } from "./message.ts";

/** What a whole reply means for the loop. */
export interface Judgement {
  readonly next:
    | "run"
    | "resume"
    | "compact"
    | "completed"
    | "truncated"
    | "refused"
    | "unknown_stop";
  /** What the model is told about each call that may not. */
  readonly refused: Readonly<Record<CallId, string>>;
  /** The reply ended inside a call. */
  readonly cut: boolean;
  readonly warnings: readonly string[];
}

/**
 * The transition table (requirements, section 2): the stop reason and the content decide together. Complete calls
 * win over the labels `end_turn` and `tool_use`; refusals, filters and unknown labels win over calls; at the
 * output limit only calls run whose end the wire itself marked.
 */
export function judgeReply(blocks: readonly AssistantBlock[], stop: Stop): Judgement {
  const calls = blocks.filter(isToolUse);
  switch (stop.reason) {
    case "refusal":
    case "content_filter":
      return nothingRuns("refused", calls, "the model refused to go on");
    case "unknown":
      return nothingRuns(
        "unknown_stop",
        calls,
        `the reply ended for an unknown reason (${stop.raw ?? "none given"})`,
      );
    case "context_window":
      return nothingRuns("compact", calls, "the context window was full");
    case "pause_turn":
      return calls.length > 0 ? runComplete(calls, stop) : noCalls("resume");
    case "max_tokens":
      return calls.length > 0 ? runComplete(calls, stop) : noCalls("truncated");
    case "tool_use":
      return calls.length > 0
        ? runComplete(calls, stop)
        : {
            ...noCalls("completed"),
            warnings: ["the reply ended with tool_use but holds no call"],
          };
    case "end_turn":
    case "stop_sequence":
      return calls.length > 0
        ? {
            ...runComplete(calls, stop),
            warnings: [
              `the reply ended with ${stop.raw ?? stop.reason} but holds calls; they are run`,
            ],
          }
        : noCalls("completed");
    default:
      return stop.reason satisfies never;
  }
}

const noCalls = (next: Judgement["next"]): Judgement => ({
  next,
  refused: {},
  cut: false,
  warnings: [],
});

function nothingRuns(next: Judgement["next"], calls: readonly ToolUse[], why: string): Judgement {
  const refused = Object.fromEntries(
    calls.map((call) => [call.call, `Not run: ${why}. Nothing was changed.`]),
  );
  return { ...noCalls(next), refused };
}

function runComplete(calls: readonly ToolUse[], stop: Stop): Judgement {
  const atLimit = stop.reason === "max_tokens";
  const refused: Record<CallId, string> = {};
  for (const call of calls) {
    if (!call.complete) refused[call.call] = atLimit ? cutByLimit : cutOff;
    else if (call.problem !== null) refused[call.call] = malformed(call.problem);
  }
  return {
    next: "run",
    refused,
    cut: calls.some((call) => !call.complete),
    warnings: [],
  };
}

const cutByLimit =
  "This call was cut by the output limit before its arguments were complete. It was not run and nothing was " +
  "changed. Do not send it again as it was: split the work into smaller calls (for a long file, write the first " +
  "part, then add the rest with edits).";

const cutOff =
  "This call is incomplete: the reply ended inside its arguments, perhaps at the output limit. It was not run and " +
  "nothing was changed. Send the whole call again; if it was long, split the work into smaller calls.";

const malformed = (problem: string): string =>
  `The arguments of this call are ${problem}. It was not run and nothing was changed. ` +
  "Send the call again with one JSON object that fits the tool's schema.";
