import { noUsage, type Json, type JsonObject, type Usage } from "#core";
import { countOf, objectOf } from "../shared/json-read.ts";
import type { Dialect } from "../capabilities.ts";

/** Where a chunk may tell what it cost: itself, its choice (Kimi), or a field of the server's own (Groq). */
export function usageIn(chunk: JsonObject, choice: JsonObject | null): JsonObject | null {
  return (
    objectOf(chunk["usage"]) ??
    objectOf(choice?.["usage"]) ??
    objectOf(objectOf(chunk["x_groq"])?.["usage"])
  );
}

/**
 * Usage after one more chunk. Counts are totals so far, never increments, and a later zero does not erase what was
 * known (field case P08). `prompt_tokens` holds cached tokens too; ours does not.
 */
export function usageAfter(
  before: Usage | null,
  wire: JsonObject | null,
  { reasoningTokens }: Pick<Dialect, "reasoningTokens">,
): Usage | null {
  if (wire === null) return before;
  const known = before ?? noUsage;
  const output = firstCount(wire["completion_tokens"], wire["output_tokens"]) ?? 0;
  const thought =
    reasoningTokens === "inside_output"
      ? 0
      : (countOf(objectOf(wire["completion_tokens_details"])?.["reasoning_tokens"]) ?? 0);
  const input = firstCount(wire["prompt_tokens"], wire["input_tokens"]) ?? 0;
  const rest = { output: output + thought > 0 ? output + thought : known.output };
  if (input === 0) return { ...known, ...rest };
  const { cacheRead, cacheWrite } = cachedIn(wire);
  return { input: Math.max(0, input - cacheRead - cacheWrite), cacheRead, cacheWrite, ...rest };
}

/** Names of OpenAI and OpenRouter, DeepSeek, Kimi, and gateways to Anthropic. */
function cachedIn(wire: JsonObject): Pick<Usage, "cacheRead" | "cacheWrite"> {
  const details = objectOf(wire["prompt_tokens_details"]) ?? {};
  const cacheRead = firstCount(
    details["cached_tokens"],
    wire["prompt_cache_hit_tokens"],
    wire["cached_tokens"],
    wire["cache_read_input_tokens"],
  );
  const cacheWrite = firstCount(
    details["cache_write_tokens"],
    details["cache_creation_tokens"],
    wire["cache_creation_input_tokens"],
  );
  return { cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 };
}

function firstCount(...values: readonly (Json | undefined)[]): number | null {
  for (const value of values) {
    const count = countOf(value);
    if (count !== null) return count;
  }
  return null;
}
