import type { JsonObject, ThinkingLevel } from "#core";
import type { Dialect } from "../capabilities.ts";
import { effortOf } from "../shared/effort.ts";

/** What a request says of how hard to think, in the words of whoever serves the model. */
export function thinkingPart(
  { thinking }: Pick<Dialect, "thinking">,
  level: ThinkingLevel | null,
  { model, maxTokens }: { readonly model: string; readonly maxTokens: number },
): JsonObject {
  if (level === null) return {};
  const isOn = level !== "off";
  const type = isOn ? "enabled" : "disabled";
  switch (thinking) {
    case "refused":
    case "budget":
    case "budget_always":
    case "adaptive":
    case "adaptive_always":
    case "bound":
    case "level":
    case "two_levels":
      return {};
    case "reasoning_effort":
      return { reasoning_effort: effortOf(model, level) };
    case "reasoning":
      return { reasoning: { effort: isOn ? (level === "max" ? "xhigh" : level) : "none" } };
    case "thinking_type":
      return { thinking: { type } };
    case "type_and_effort":
      return { thinking: { type }, ...(isOn ? { reasoning_effort: level } : {}) };
    case "enable_thinking":
      return {
        enable_thinking: isOn,
        ...(isOn ? { thinking_budget: Math.min(budgets[level], Math.floor(maxTokens / 2)) } : {}),
      };
    case "chat_template":
      return {
        chat_template_kwargs: { enable_thinking: isOn },
        ...(isOn ? { reasoning_effort: effortOf(model, level) } : {}),
      };
    default:
      return thinking satisfies never;
  }
}

const budgets: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  max: 32_768,
};
