import type { JsonObject, ThinkingLevel } from "#core";
import type { Capabilities } from "../capabilities.ts";

/**
 * What a request says about thinking: thoughts are asked for wherever the model has any, because between calls they are
 * all it says. Models that do not think refuse the question; others take a budget of tokens, or a level, and cannot stop
 * thinking. Source: "Thinking", Gemini API documentation, 2026-11.
 */
export function thinkingConfig(
  form: Capabilities["thinking"],
  level: ThinkingLevel | null,
  maxOutputTokens: number,
): JsonObject {
  if (form === "budget" || form === "budget_always") {
    return { thinkingConfig: budgetPart(form, level, maxOutputTokens) };
  }
  if (form === "level" || form === "two_levels") {
    return { thinkingConfig: { includeThoughts: true, ...levelPart(form, level) } };
  }
  return {};
}

const levels: Readonly<Record<ThinkingLevel, string>> = {
  off: "LOW",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  max: "HIGH",
};

function levelPart(form: "level" | "two_levels", level: ThinkingLevel | null): JsonObject {
  if (level === null) return {};
  const hasMiddle = form === "level";
  return { thinkingLevel: level === "medium" && !hasMiddle ? "HIGH" : levels[level] };
}

/** Up to the most that every model of 2.5 takes. */
const budgets: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  max: 24_576,
};
/** The least that a model thinks with that cannot stop. */
const leastOfAlways = 128;

/** Thoughts count as output, so at least a quarter of that is left for the answer. */
function budgetPart(
  form: "budget" | "budget_always",
  level: ThinkingLevel | null,
  maxOutputTokens: number,
): JsonObject {
  if (level === null) return { includeThoughts: true };
  // Without a thought there is none to be shown, and asking is refused.
  if (level === "off") return { thinkingBudget: form === "budget_always" ? leastOfAlways : 0 };
  const most = Math.max(512, Math.floor(maxOutputTokens * 0.75));
  return { includeThoughts: true, thinkingBudget: Math.min(budgets[level], most) };
}
