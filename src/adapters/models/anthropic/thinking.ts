import type { JsonObject, ThinkingLevel } from "#core";
import type { Capabilities } from "../capabilities.ts";

/** What a request says about thinking, and the beta header that goes with it. */
export interface ThinkingPart {
  readonly body: JsonObject;
  readonly beta: string | null;
}

const nothing: ThinkingPart = { body: {}, beta: null };

/** The API's own bound: a budget is at least this, and less than `max_tokens` (field case W17). */
const leastBudget = 1024;
/** Share of `max_tokens` that thinking may take at most: the rest is for the answer. */
const mostOfReply = 0.75;

const budgets: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  low: 4_096,
  medium: 12_288,
  high: 24_576,
  max: 49_152,
};

/**
 * Models think in three ways: with a `budget` of tokens; `adaptive`, as they see fit, more or less by their effort; and
 * `bound`, where their thinking is signed over everything before it, and replaying it after a changed system prompt,
 * tool list or a compaction is refused. Those are asked to leave such blocks out instead, and to show their thinking in
 * short: between tool calls it is all they say. Only the provider's own host is known to understand that.
 */
export function thinkingOf(
  form: Capabilities["thinking"],
  options: {
    /** null = as the model does by itself. */
    readonly level: ThinkingLevel | null;
    readonly maxTokens: number;
    /** The reply whose calls are being answered began with thinking, or there is none. */
    readonly isAllowed: boolean;
    readonly isOwnHost: boolean;
  },
): ThinkingPart {
  const { level, maxTokens, isAllowed, isOwnHost } = options;
  if (form === "bound" && isOwnHost) {
    return { ...bound, body: { ...bound.body, ...effortPart(level) } };
  }
  if (level === null) return nothing;
  if (form === "adaptive" && level === "off") {
    return { body: { thinking: { type: "disabled" } }, beta: null };
  }
  if (form === "adaptive" || form === "adaptive_always" || form === "bound") return adaptive(level);
  // Without a budget they do not think.
  const mayThink = level !== "off" && maxTokens > leastBudget && isAllowed;
  const takesBudget = form === "budget" || form === "budget_always";
  return takesBudget && mayThink ? withBudget(budgets[level], maxTokens) : nothing;
}

const adaptive = (level: ThinkingLevel): ThinkingPart => ({
  body: { thinking: { type: "adaptive" }, ...effortPart(level) },
  beta: null,
});

function withBudget(wanted: number, maxTokens: number): ThinkingPart {
  const most = Math.min(maxTokens - 1, Math.max(leastBudget, Math.floor(maxTokens * mostOfReply)));
  const budget = Math.min(wanted, most);
  return { body: { thinking: { type: "enabled", budget_tokens: budget } }, beta: null };
}

const effortPart = (level: ThinkingLevel | null): JsonObject =>
  level === null ? {} : { output_config: { effort: level === "off" ? "low" : level } };

const bound: ThinkingPart = {
  body: {
    thinking: {
      type: "adaptive",
      display: "summarized",
      block_binding: { prefix_mismatch_behavior: "drop_block" },
    },
  },
  beta: "thinking-binding-controls-2026-08-01",
};
