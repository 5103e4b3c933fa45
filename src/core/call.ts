import type { Because } from "./because.ts";
import type { CallId, Hash, JobId } from "./id.ts";
import type { Json, JsonObject } from "./json.ts";
import type { AssistantBlock, Image, Text, ToolResult, ToolUse } from "./message.ts";

export type Access = "read" | "write" | "exec" | "network";

/** What may be done when a call was started and no end was recorded. */
export type Recovery = "rerun" | "probe" | "never";

/** What the tool says of a call when it enters the journal; core schedules by this alone. */
export type Stamp =
  | {
      readonly access: Access;
      readonly resources: readonly string[];
      readonly recovery: Recovery;
      readonly timeoutMs: number;
    }
  | { readonly invalid: string };

export type Outcome = "ok" | "error" | "denied" | "timeout" | "interrupted" | "not_run";

export type CallStatus =
  | { readonly at: "requested" }
  | {
      readonly at: "asked";
      readonly rule: string;
      readonly reason: string;
      readonly because: Because | null;
    }
  | { readonly at: "allowed" }
  | { readonly at: "started"; readonly recovery: Recovery; readonly intent: Json }
  /** Started, and the process that ran it is gone: its fate is being found out. */
  | { readonly at: "unknown"; readonly intent: Json }
  | {
      readonly at: "settled";
      readonly outcome: Outcome;
      readonly content: ToolResult["content"];
    };

export interface Call {
  readonly id: CallId;
  readonly tool: string;
  readonly input: JsonObject;
  readonly stamp: Stamp;
  /** How often it was started. */
  readonly attempt: number;
  readonly status: CallStatus;
}

/** What really changed in the world. Lines are 1-based and inclusive, in the new file. */
export type EffectReport =
  | {
      readonly type: "file_written";
      readonly path: string;
      readonly bytes: number;
      readonly lines: readonly [from: number, to: number] | null;
      readonly before: Hash | null;
      readonly after: Hash;
    }
  | { readonly type: "file_deleted"; readonly path: string; readonly before: Hash | null }
  | {
      readonly type: "process_ran";
      readonly command: string;
      readonly exitCode: number | null;
      readonly durationMs: number;
      readonly changed: readonly string[];
    }
  | { readonly type: "request_sent"; readonly url: string; readonly status: number | null }
  | {
      readonly type: "agent_ran";
      readonly sessionId: string;
      readonly turns: number;
      readonly costUsd: number;
    };

/** A command that goes on after its call has ended. */
export interface Job {
  readonly id: JobId;
  readonly call: CallId;
  readonly title: string;
}

/** How a run of a tool ended, as the tool itself says it. */
export interface ToolEnd {
  readonly outcome: "ok" | "error" | "timeout" | "interrupted";
  readonly content: readonly (Text | Image)[];
  readonly effects: readonly EffectReport[];
  /** Documents to keep in the state (todo list, plan), by name. */
  readonly docs?: Readonly<Record<string, Json>>;
}

export const isSettled = (call: Call): boolean => call.status.at === "settled";

/** Reads may run beside other reads; everything else runs alone (law L8). */
export const isRead = (call: Call): boolean =>
  "access" in call.stamp && call.stamp.access === "read";

/**
 * Calls of one reply that are open at once. Enough to hide the waiting of reads; and what a step costs does not
 * grow with the number of calls in the reply.
 */
export const mostAtOnce: number = 32;

type Settled = Extract<CallStatus, { at: "settled" }>;
export type OpenCall = Call & { readonly status: Exclude<CallStatus, Settled> };

const isOpen = (call: Call): call is OpenCall => !isSettled(call);

/** A call and its place in its reply, from 0. */
export interface Placed {
  readonly place: number;
  readonly call: OpenCall;
}

/**
 * The calls that may go on now, in order. A read waits for every earlier call that is not a read; every other call
 * waits for all earlier ones.
 * @param settled so many calls from the first on are known to be settled, and are not looked at
 */
export function nextCalls(calls: readonly Call[], settled: number): readonly Placed[] {
  const next: Placed[] = [];
  for (let place = settled; place < calls.length && next.length < mostAtOnce; place += 1) {
    const call = calls[place];
    if (call === undefined || !isOpen(call)) continue;
    if (!isRead(call)) return next.length === 0 ? [{ place, call }] : next;
    next.push({ place, call });
  }
  return next;
}

/** How many calls from the first on are settled, when it was at least `known`. */
export function settledFrom(calls: readonly Call[], known: number): number {
  let count = known;
  for (let call = calls[count]; call !== undefined && isSettled(call); call = calls[count]) {
    count += 1;
  }
  return count;
}

export const settle = (call: Call, outcome: Outcome, content: ToolResult["content"]): Call => ({
  ...call,
  status: { at: "settled", outcome, content },
});

export const settleWithText = (call: Call, outcome: Outcome, message: string): Call =>
  settle(call, outcome, [{ type: "text", text: message }]);

export const newCall = (use: ToolUse, stamp: Stamp): Call => ({
  id: use.call,
  tool: use.tool,
  input: use.input,
  stamp,
  attempt: 0,
  status: { at: "requested" },
});

export const isToolUse = (block: AssistantBlock): block is ToolUse => block.type === "tool_use";

/** What the model sees of a reply's settled calls, in their order. */
export const resultsOf = (calls: readonly Call[]): readonly ToolResult[] =>
  calls.filter(hasEnded).map(({ id, status }) => ({
    type: "tool_result",
    call: id,
    content: status.content,
    isError: status.outcome !== "ok",
  }));

const hasEnded = (call: Call): call is Call & { readonly status: Settled } => isSettled(call);
