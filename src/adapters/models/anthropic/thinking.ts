import type { JsonObject, ThinkingLevel } from "#core";

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
 * Three generations of models think in three ways (source: migration guides of the models, 2026-09):
 * up to 4.6 with a budget of tokens; from 4.7 on as they see fit, more or less by their effort; from 5.1 (Fable) and
 * 5.5 (others) on their thinking is signed over everything before it, and replaying it after a changed system prompt,
 * tool list or a compaction is refused. Those are asked to leave such blocks out instead, and to show their thinking in
 * short: between tool calls it is all they say. Only the provider's own host is known to understand that.
 */
export function thinkingOf(
  model: string,
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
  if (bindsThinking.test(model) && isOwnHost) {
    return { ...bound, body: { ...bound.body, ...effortPart(level) } };
  }
  if (level === null || doesNotThink.test(model)) return nothing;
  if (thinksAsItSeesFit.test(model)) {
    const isOff = level === "off" && !alwaysThinks.test(model);
    if (isOff) return { body: { thinking: { type: "disabled" } }, beta: null };
    return { body: { thinking: { type: "adaptive" }, ...effortPart(level) }, beta: null };
  }
  // Without a budget they do not think.
  if (level === "off" || maxTokens <= leastBudget || !isAllowed) return nothing;
  const most = Math.min(maxTokens - 1, Math.max(leastBudget, Math.floor(maxTokens * mostOfReply)));
  const budget = Math.min(budgets[level], most);
  return { body: { thinking: { type: "enabled", budget_tokens: budget } }, beta: null };
}

const effortPart = (level: ThinkingLevel | null): JsonObject =>
  level === null ? {} : { output_config: { effort: level === "off" ? "low" : level } };

const doesNotThink = /^claude-(?:2|instant|3-(?:opus|sonnet|haiku|5))/;
const bindsThinking = /^claude-(?:(?:fable|mythos)-5-[1-9]|[a-z]+-5-[5-9]|[a-z]+-[6-9])(?!\d)/;
const thinksAsItSeesFit = /^claude-[a-z]+-(?:4-[7-9]|[5-9])(?!\d)/;
const alwaysThinks = /^claude-(?:fable|mythos)/;

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
