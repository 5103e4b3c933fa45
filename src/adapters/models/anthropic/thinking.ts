import type { JsonObject } from "#core";

/** What a request says about thinking, and the beta header that goes with it. */
export interface ThinkingPart {
  readonly body: JsonObject;
  readonly beta: string | null;
}

const nothing: ThinkingPart = { body: {}, beta: null };

/** The API's own bound: a budget is at least this, and less than `max_tokens` (field case W17). */
const leastBudget = 1024;

/**
 * Three generations of models think in three ways (source: migration guides of the models, 2026-09):
 * up to 4.6 with a budget of tokens; from 4.7 on as they see fit; from 5.1 (Fable) and 5.5 (others) on their thinking
 * is signed over everything before it, and replaying it after a changed system prompt, tool list or a compaction
 * is refused. Those are asked to leave such blocks out instead, and to show their thinking in short: between tool
 * calls it is all they say. Only the provider's own host is known to understand that.
 */
export function thinkingOf(
  model: string,
  options: {
    readonly budgetTokens: number | null;
    readonly maxTokens: number;
    /** The reply whose calls are being answered began with thinking, or there is none. */
    readonly isAllowed: boolean;
    readonly isOwnHost: boolean;
  },
): ThinkingPart {
  if (bindsThinking.test(model) && options.isOwnHost) return bound;
  const { budgetTokens, maxTokens } = options;
  if (budgetTokens === null) return nothing;
  if (thinksAsItSeesFit.test(model)) {
    return { body: { thinking: { type: "adaptive" } }, beta: null };
  }
  if (maxTokens <= leastBudget || !options.isAllowed) return nothing;
  const budget = Math.min(Math.max(Math.floor(budgetTokens), leastBudget), maxTokens - 1);
  return { body: { thinking: { type: "enabled", budget_tokens: budget } }, beta: null };
}

const bindsThinking = /^claude-(?:(?:fable|mythos)-5-[1-9]|[a-z]+-5-[5-9]|[a-z]+-[6-9])(?!\d)/;
const thinksAsItSeesFit = /^claude-[a-z]+-(?:4-[7-9]|[5-9])(?!\d)/;

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
