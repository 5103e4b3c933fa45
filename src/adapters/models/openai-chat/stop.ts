import type { FailureClass, Json, Stop, StopReason } from "#core";

/** Sources: the references of OpenAI, DeepSeek, Qwen, Kimi, GLM, Mistral; labels gateways pass through as they are. */
const reasons: ReadonlyMap<string, StopReason> = new Map([
  ["stop", "end_turn"],
  ["end_turn", "end_turn"],
  ["eos", "end_turn"],
  ["eos_token", "end_turn"],
  ["stop_sequence", "stop_sequence"],
  ["tool_calls", "tool_use"],
  ["tool_call", "tool_use"],
  ["tool_use", "tool_use"],
  ["function_call", "tool_use"],
  ["length", "max_tokens"],
  ["max_tokens", "max_tokens"],
  ["model_length", "context_window"],
  ["model_context_window_exceeded", "context_window"],
  ["content_filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["safety", "content_filter"],
  ["refusal", "refusal"],
]);

/** Labels that say the server gave up in the middle. Sources: OpenRouter, GLM, DeepSeek, vLLM. */
const failures: ReadonlyMap<string, FailureClass> = new Map([
  ["error", "server"],
  ["network_error", "server"],
  ["insufficient_system_resource", "overloaded"],
  ["abort", "truncated"],
]);

/** A label as text; null when there is none. Empty ones stand in every chunk of some servers. */
export function labelOf(finishReason: Json | undefined): string | null {
  if (finishReason === undefined || finishReason === null || finishReason === "") return null;
  const label = typeof finishReason === "string" ? finishReason : JSON.stringify(finishReason);
  return label.slice(0, longestLabel);
}

const longestLabel = 200;

/** A label nobody knows is `unknown`, with the label beside it. */
export const stopOf = (label: string): Stop => ({
  reason: reasons.get(label.toLowerCase()) ?? "unknown",
  raw: label,
});

export const failureLabel = (label: string): FailureClass | null => failures.get(label) ?? null;

/** Servers that repeat the label in later chunks may weaken it: a limit or a filter stays what it was. */
export function strongerLabel(before: string | null, next: string | null): string | null {
  if (before === null || next === null) return next ?? before;
  const isFirm = !/^(end_turn|tool_use|stop_sequence)$/.test(stopOf(before).reason);
  return isFirm ? before : next;
}
