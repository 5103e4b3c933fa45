import type { JsonObject } from "#core";

/**
 * What a request says about thinking: thoughts are asked for wherever the model has any, because between calls they are
 * all it says. Models before 2.5 refuse the question; 2.5 takes a budget of tokens, later ones a level.
 * Source: "Thinking", Gemini API documentation, 2026-11.
 */
export function thinkingConfig(model: string, budgetTokens: number | null): JsonObject {
  if (/^(?:models\/)?(?:gemini-(?:1|2\.0)|gemma|learnlm)/.test(model)) return {};
  return { thinkingConfig: { includeThoughts: true, ...wish(model, budgetTokens) } };
}

function wish(model: string, budgetTokens: number | null): JsonObject {
  if (budgetTokens === null) return {};
  if (!/^(?:models\/)?gemini-2\.5/.test(model)) {
    return { thinkingLevel: budgetTokens <= lowUpToTokens ? "LOW" : "HIGH" };
  }
  const budget = Math.min(Math.max(Math.floor(budgetTokens), leastBudget), mostBudget);
  return { thinkingBudget: budget };
}

/** The range that every model of 2.5 takes. */
const leastBudget = 512;
const mostBudget = 24_576;
const lowUpToTokens = 4096;
