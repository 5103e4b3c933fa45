import type { Json, Stop, StopReason } from "#core";

/** Source: "Handling stop reasons", Anthropic API documentation; `sensitive` is sent by compatible gateways. */
const reasons: ReadonlyMap<string, StopReason> = new Map([
  ["end_turn", "end_turn"],
  ["stop_sequence", "stop_sequence"],
  ["tool_use", "tool_use"],
  ["max_tokens", "max_tokens"],
  ["pause_turn", "pause_turn"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "context_window"],
  ["sensitive", "content_filter"],
  ["content_filter", "content_filter"],
]);

/** A label nobody knows is `unknown`, with the label beside it; a reply that ended without one as well. */
export function stopOf(label: Json | undefined): Stop {
  if (label === undefined || label === null) return { reason: "unknown", raw: null };
  const raw = typeof label === "string" ? label : JSON.stringify(label);
  return { reason: reasons.get(raw) ?? "unknown", raw: raw.slice(0, longestLabel) };
}

const longestLabel = 200;
