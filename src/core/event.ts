import type { EffectReport, Outcome, Recovery, Stamp, ToolEnd } from "./call.ts";
import type { Because } from "./because.ts";
import type { AnswerCheck } from "./answer.ts";
import type { Limits } from "./budget.ts";
import type { Failure } from "./failure.ts";
import type { CallId, EpochMs, Hash, InputId, JobId, RequestId, SessionId, TimerId } from "./id.ts";
import type { Json, JsonObject } from "./json.ts";
import type { AssistantBlock, LongText, Stop, Text, Image, ToolResult, Usage } from "./message.ts";
import type { Decider } from "./permission.ts";
import type { Grant, Mode } from "./policy.ts";
import type { Verdict } from "./rule.ts";
import type { Trace } from "./trace.ts";
import type { Withheld } from "./withhold.ts";

/** Number of the rules by which `transition` reads a journal; a change that alters old histories is a new one. */
export const rulesVersion: number = 1;

/** A model, and what is known of it. */
export interface AgentModel {
  /** `provider/model`. */
  readonly model: string;
  /** Tokens; null when the model is unknown. */
  readonly window: number | null;
  readonly maxOutputTokens: number;
  /** USD for one input token at the best cache price; null when the price is unknown. */
  readonly cheapestInputUsd: number | null;
}

/** Who the agent is: everything a request needs beside the conversation. */
export interface Agent extends AgentModel {
  /** Steps in for the rest of a prompt when the agent's own model cannot be had. */
  readonly fallback: AgentModel | null;
  /** How hard it thinks before it speaks; null = as the model does by itself. */
  readonly thinking: ThinkingLevel | null;
  readonly mode: Mode;
  readonly limits: Limits;
  /** Blob of the tool definitions as sent. */
  readonly tools: Hash;
  /** Blobs of the system prompt's sections, in order of their names' appearance. */
  readonly sections: Readonly<Record<string, Hash>>;
}

/** How hard a model is to think, in words that every provider's own can be made of. */
export type ThinkingLevel = "off" | "low" | "medium" | "high" | "max";

export const thinkingLevels: readonly ThinkingLevel[] = ["off", "low", "medium", "high", "max"];

export type Purpose = "turn" | "compaction";

/** What is done about a failed request, beside asking the same again after a while. */
export type Remedy =
  /** The fallback model is asked, for the rest of this prompt. */
  | { readonly type: "fall_back"; readonly model: string }
  /** From now on what is in the conversation so far is sent without this. */
  | { readonly type: "withhold"; readonly what: Withheld }
  /** The model is told what was wrong with its reply. */
  | { readonly type: "tell"; readonly text: string };

interface Sessions {
  "session.started": {
    readonly rules: number;
    readonly sessionId: SessionId;
    readonly parent: { readonly sessionId: SessionId; readonly call: CallId } | null;
    readonly cwd: string;
    readonly agent: Agent;
    /** What the program that wrote this was. */
    readonly program: string;
    /** Commit the folder stood at, when it is a git work tree. */
    readonly gitHead: string | null;
  };
  /** A writer opened the journal again; time since the fact before was not spent working. */
  "session.resumed": {
    readonly program: string;
    readonly cwd: string;
    readonly gitHead: string | null;
  };
  "session.forked": {
    readonly sessionId: SessionId;
    readonly from: { readonly sessionId: SessionId; readonly seq: number };
    readonly cwd: string;
  };
  "agent.changed": { readonly agent: Partial<Agent> };
}

interface Inputs {
  "input.received": {
    readonly input: InputId;
    /** `continue` goes on after a stop; `compact` asks for a summary now. */
    readonly kind: "prompt" | "continue" | "compact";
    readonly blocks: readonly (Text | Image)[];
    /** JSON Schema, as JSON text, that the answer must fit; left out = any text will do. */
    readonly answerSchema?: LongText;
  };
  "input.withdrawn": { readonly inputs: readonly InputId[] };
  "interrupt.requested": { readonly now: boolean };
}

interface Requests {
  "request.started": {
    readonly request: RequestId;
    readonly purpose: Purpose;
    readonly attempt: number;
    readonly model: string;
    /** False on the last allowed reply. */
    readonly tools: boolean;
  };
  "request.failed": {
    readonly request: RequestId;
    readonly failure: Failure;
    /** Text that had arrived. */
    readonly partial: LongText;
    /** What the provider billed for it, when it said so. */
    readonly usage: Usage | null;
    readonly costUsd: number | null;
    /** 0 … 1, for the wait before the next attempt. */
    readonly jitter: number;
    /** Decided when it failed (`remedyFor`), so that a journal means the same to every version. */
    readonly remedy: Remedy | null;
  };
  /** The process died while the reply streamed. */
  "request.lost": { readonly request: RequestId; readonly partial: LongText };
  "response.received": {
    readonly request: RequestId;
    readonly model: string;
    readonly blocks: readonly AssistantBlock[];
    readonly stop: Stop;
    readonly usage: Usage;
    readonly costUsd: number | null;
    /** One for each call in `blocks`. */
    readonly stamps: Readonly<Record<CallId, Stamp>>;
    /** For a reply without calls to a prompt with a schema: a replay needs no validator. */
    readonly answer?: AnswerCheck;
    readonly warnings: readonly string[];
  };
  "timer.fired": { readonly timer: TimerId };
  "context.compacted": {
    /** Index of the first message that stays verbatim. */
    readonly from: number;
    readonly summary: LongText | null;
    readonly how: "summary" | "drop";
  };
}

interface Calls {
  /** A read whose block is complete, while the reply still streams. */
  "tool.requested": {
    readonly request: RequestId;
    readonly call: CallId;
    readonly tool: string;
    readonly input: JsonObject;
    readonly stamp: Stamp;
  };
  "permission.asked": {
    readonly call: CallId;
    readonly rule: string;
    readonly reason: string;
    /** `reason` as data; null = somebody's own words. */
    readonly because: Because | null;
  };
  "permission.decided": {
    readonly call: CallId;
    readonly verdict: Exclude<Verdict, "ask">;
    readonly by: Decider;
    readonly rule: string;
    readonly reason: string;
    /** `reason` as data; null = somebody's own words. */
    readonly because: Because | null;
    /** Set when the decider changed the input; comes with its new stamp. */
    readonly edited: { readonly input: JsonObject; readonly stamp: Stamp } | null;
    readonly grant: Grant | null;
  };
  /** Synced before the effect. */
  "tool.started": {
    readonly call: CallId;
    readonly attempt: number;
    readonly recovery: Recovery;
    readonly intent: Json;
  };
  "tool.finished": {
    readonly call: CallId;
    readonly attempt: number;
    readonly outcome: Exclude<Outcome, "denied" | "not_run">;
    readonly content: ToolResult["content"];
    readonly effects: readonly EffectReport[];
    readonly docs: Readonly<Record<string, Json>>;
    readonly durationMs: number;
  };
  /** It was started, no end was recorded, and the process is gone. */
  "tool.lost": { readonly call: CallId; readonly attempt: number };
  "tool.probed": {
    readonly call: CallId;
    readonly verdict: ProbeVerdict;
    readonly evidence: string;
    /** `evidence` as data; none = somebody's own words. */
    readonly traces: readonly Trace[];
    /** The end as far as it is known. */
    readonly end: ToolEnd | null;
  };
}

export type ProbeVerdict = "happened" | "did_not_happen" | "running" | "undetermined";

interface Others {
  "job.started": { readonly job: JobId; readonly call: CallId; readonly title: string };
  "job.ended": { readonly job: JobId; readonly outcome: string };
  "budget.reserved": { readonly call: CallId; readonly costUsd: number };
  "budget.released": { readonly call: CallId; readonly costUsd: number };
  "memory.changed": { readonly section: string; readonly content: Hash };
  "workspace.restored": { readonly paths: readonly string[]; readonly call: CallId | null };
  "hook.ran": { readonly point: string; readonly call: CallId | null; readonly note: string };
}

type Shapes = Sessions & Inputs & Requests & Calls & Others;

export type FactType = keyof Shapes;
export type FactOf<T extends FactType> = { readonly type: T } & Shapes[T];
/** Something that happened: past tense, one journal line. */
export type Fact = { [T in FactType]: FactOf<T> }[FactType];

/** A fact with the time the driver stamped on it. */
export interface Stamped {
  readonly at: EpochMs;
  readonly fact: Fact;
}

/** One journal line, keys in this order (form: `docs/boundaries/journal.md`). */
export interface Entry extends Stamped {
  readonly v: 1;
  readonly seq: number;
  readonly at: EpochMs;
  readonly prev: string;
  readonly fact: Fact;
  readonly sum: string;
}
