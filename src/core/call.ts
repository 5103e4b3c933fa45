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

export type Outcome =
  | "ok"
  | "error"
  | "denied"
  | "timeout"
  | "interrupted"
  | "discarded"
  | "not_run";

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

/** A read waits for every earlier call that is not a read; every other call waits for all earlier ones. */
export function mayProceed(calls: readonly Call[], index: number): boolean {
  const call = calls[index];
  const earlier = calls.slice(0, index);
  return (
    call !== undefined &&
    earlier.every((before) => isSettled(before) || (isRead(call) && isRead(before)))
  );
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

/** What the model sees of a reply's calls, in their order; null while one of them is open. */
export function resultsOf(calls: readonly Call[]): readonly ToolResult[] | null {
  const results = calls.flatMap(({ id, status }) =>
    status.at === "settled"
      ? [
          {
            type: "tool_result" as const,
            call: id,
            content: status.content,
            isError: status.outcome !== "ok",
          },
        ]
      : [],
  );
  return results.length === calls.length ? results : null;
}
