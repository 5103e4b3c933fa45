import type { JsonObject, ThinkingLevel } from "#core";

/**
 * What a request says about thinking: thoughts are asked for wherever the model has any, because between calls they are
 * all it says. Models before 2.5 refuse the question; 2.5 takes a budget of tokens, later ones a level, and cannot stop
 * thinking. Source: "Thinking", Gemini API documentation, 2026-11.
 */
export function thinkingConfig(
  model: string,
  level: ThinkingLevel | null,
  maxOutputTokens: number,
): JsonObject {
  const name = model.replace(/^models\//, "");
  if (/^(?:gemini-(?:1|2\.0)|gemma|learnlm)/.test(name)) return {};
  const config = name.startsWith("gemini-2.5")
    ? budgetPart(name, level, maxOutputTokens)
    : { includeThoughts: true, ...levelPart(name, level) };
  return { thinkingConfig: config };
}

const levels: Readonly<Record<ThinkingLevel, string>> = {
  off: "LOW",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  max: "HIGH",
};

/** The first of them knows no middle. */
function levelPart(name: string, level: ThinkingLevel | null): JsonObject {
  if (level === null) return {};
  const knowsMiddle = !name.startsWith("gemini-3-pro");
  return { thinkingLevel: level === "medium" && !knowsMiddle ? "HIGH" : levels[level] };
}

/** Up to the most that every model of 2.5 takes. */
const budgets: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  max: 24_576,
};
/** The least that a Pro thinks with. */
const leastOfPro = 128;

/** Thoughts count as output, so at least a quarter of that is left for the answer. */
function budgetPart(
  name: string,
  level: ThinkingLevel | null,
  maxOutputTokens: number,
): JsonObject {
  if (level === null) return { includeThoughts: true };
  const isPro = name.startsWith("gemini-2.5-pro");
  // Without a thought there is none to be shown, and asking is refused.
  if (level === "off") return isPro ? { thinkingBudget: leastOfPro } : { thinkingBudget: 0 };
  const most = Math.max(512, Math.floor(maxOutputTokens * 0.75));
  return { includeThoughts: true, thinkingBudget: Math.min(budgets[level], most) };
}
