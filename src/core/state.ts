import type { Budget, LimitName, Spent } from "./budget.ts";
import type { Call, Job } from "./call.ts";
import type { Agent, Purpose } from "./event.ts";
import type { Failure } from "./failure.ts";
import type { CallId, EpochMs, InputId, JobId, RequestId, SessionId, TimerId } from "./id.ts";
import type { Json } from "./json.ts";
import type { Image, LongText, Message, Stop, Text, UserMessage } from "./message.ts";
import type { Grant } from "./policy.ts";
import type { Withholding } from "./withhold.ts";

export interface Input {
  readonly id: InputId;
  readonly blocks: readonly (Text | Image)[];
  /** JSON Schema that the answer must fit; null = any text will do. */
  readonly answerSchema: LongText | null;
}

/** What an earlier part of the conversation is replaced by. */
export interface Cut {
  /** Index of the first message that stays verbatim. */
  readonly from: number;
  /** Index of the latest prompt, when it lies before `from`: it stays verbatim too. */
  readonly prompt: number | null;
  /** The message that stands for what was cut. */
  readonly note: UserMessage;
}

export type RunOutcome =
  | "completed"
  | "truncated"
  | "refused"
  | "interrupted"
  | "limit"
  | "failed"
  | "unknown_stop";

export interface Stopped {
  readonly at: "stopped";
  readonly outcome: RunOutcome;
  readonly limit: LimitName | null;
  readonly stop: Stop | null;
  readonly failure: Failure | null;
  /** When the server wants to be asked again, where that was too long to wait for. */
  readonly retryAt: EpochMs | null;
}

/** How far the attempts of one request have come. */
export interface Ladder {
  readonly attempt: number;
  /** Sum of the waits between them. */
  readonly waitedMs: number;
}

/** A model request that is owed or under way. */
export interface Asking extends Ladder {
  readonly request: RequestId;
  readonly started: boolean;
}

export type Phase =
  | { readonly at: "idle" }
  /** `early`: reads that run while the reply still streams. `final`: the reply is asked for without tools. */
  | (Asking & { readonly at: "thinking"; readonly final: boolean; readonly early: readonly Call[] })
  /** First a summary is asked for, then the cut is made. `summary: null` at the cut: nothing could be had, drop. */
  | (Asking & {
      readonly at: "compacting";
      readonly step: "summarise" | "cut";
      readonly summary: LongText | null;
      readonly after: After;
    })
  | (Ladder & {
      readonly at: "backing_off";
      readonly timer: TimerId;
      readonly until: EpochMs;
      readonly purpose: Purpose;
      readonly final: boolean;
      readonly after: After;
      readonly cause: Failure;
    })
  /** `settled`: so many calls from the first on are settled, so that nothing looks at them again. */
  | {
      readonly at: "acting";
      readonly calls: readonly Call[];
      readonly settled: number;
      readonly after: After;
    }
  | Stopped;

/** Where the loop goes when every call of a reply is settled. */
export type After = { readonly at: "thinking" } | Stopped;

export interface Denial {
  readonly call: CallId;
  readonly tool: string;
  readonly rule: string;
  readonly reason: string;
}

/** The prompt being worked on, or the last one. Its counters start anew with every prompt. */
export interface Prompt extends Spent {
  /** The fact that began it. */
  readonly seq: number;
  readonly startedAt: EpochMs;
  /** Time spent on anything but waiting for a person. */
  readonly activeMs: number;
  /** The latest answer text, whole or partial. */
  readonly answer: LongText;
  /** JSON Schema, as JSON text, that the answer must fit; null = any text will do. */
  readonly answerSchema: LongText | null;
  /** The latest answer fits it. */
  readonly answerFits: boolean;
  /** Answers in a row that did not. */
  readonly misfits: number;
  readonly warnings: readonly string[];
  readonly denials: readonly Denial[];
  /** Replies in a row that were cut inside a call, that paused, whose calls the provider could not read, and compactions in a row. */
  readonly cutReplies: number;
  readonly pauses: number;
  readonly badCalls: number;
  readonly compactions: number;
  /** The fallback model has stepped in. The next prompt tries the agent's own model again. */
  readonly fellBack: boolean;
  /** The wall-clock limit has fired. */
  readonly timeUp: boolean;
}

export interface State {
  readonly v: 1;
  readonly rules: number;
  /** Facts folded so far. */
  readonly seq: number;
  readonly at: EpochMs;
  readonly sessionId: SessionId;
  readonly parent: { readonly sessionId: SessionId; readonly call: CallId } | null;
  readonly forkOf: { readonly sessionId: SessionId; readonly seq: number } | null;
  readonly cwd: string;
  readonly gitHead: string | null;
  readonly agent: Agent;
  readonly messages: readonly Message[];
  readonly cut: Cut | null;
  readonly withheld: Withholding;
  readonly inbox: readonly Input[];
  readonly phase: Phase;
  readonly interrupt: "graceful" | "now" | null;
  readonly prompt: Prompt;
  readonly budget: Budget;
  readonly grants: readonly Grant[];
  readonly filesModified: readonly string[];
  readonly docs: Readonly<Record<string, Json>>;
  readonly jobs: Readonly<Record<JobId, Job>>;
  /** How many of each were ever made: the source of their ids. */
  readonly count: { readonly requests: number; readonly inputs: number };
  /** Tokens of the latest request and its reply, as the provider counted them. */
  readonly contextTokens: number;
  /** The model of the latest request; null before the first. */
  readonly lastModel: string | null;
}

export const isRunning = (state: State): boolean =>
  state.phase.at !== "idle" && state.phase.at !== "stopped";
