import type { FailureClass, Json, StopReason } from "#core";

/** How a reply ended: with a reason of ours, or as a failure that only this wire puts into its finish reason. */
export type Finish =
  | { readonly type: "stop"; readonly reason: StopReason }
  | { readonly type: "failure"; readonly class: FailureClass };

const stop = (reason: StopReason): Finish => ({ type: "stop", reason });
const failure = (kind: FailureClass): Finish => ({ type: "failure", class: kind });

/** Source: `FinishReason`, Gemini and Vertex AI references, 2026-11. */
const finishes: ReadonlyMap<string, Finish> = new Map([
  ["STOP", stop("end_turn")],
  ["MAX_TOKENS", stop("max_tokens")],
  ["CONTINUATION", stop("max_tokens")],
  ["SAFETY", stop("content_filter")],
  ["RECITATION", stop("content_filter")],
  ["LANGUAGE", stop("content_filter")],
  ["BLOCKLIST", stop("content_filter")],
  ["PROHIBITED_CONTENT", stop("content_filter")],
  ["SPII", stop("content_filter")],
  ["IMAGE_SAFETY", stop("content_filter")],
  ["IMAGE_PROHIBITED_CONTENT", stop("content_filter")],
  ["IMAGE_RECITATION", stop("content_filter")],
  ["MODEL_ARMOR", stop("content_filter")],
  ["ESCALATION", stop("content_filter")],
  ["PUP_LIMITED_DISABLED", stop("content_filter")],
  ["MALFORMED_FUNCTION_CALL", failure("bad_tool_call")],
  ["UNEXPECTED_TOOL_CALL", failure("bad_tool_call")],
  ["MISSING_THOUGHT_SIGNATURE", failure("broken_history")],
  ["MALFORMED_RESPONSE", failure("server")],
]);

export const labelOf = (label: Json): string =>
  (typeof label === "string" ? label : JSON.stringify(label)).slice(0, longestLabel);

/** A label nobody knows is `unknown`. */
export const finishOf = (label: string): Finish => finishes.get(label) ?? stop("unknown");

const longestLabel = 200;
