import type { Json, Usage } from "#core";
import { countOf, objectOf } from "../shared/json-read.ts";

/**
 * Usage as a reply tells it: its input holds the cached tokens, its output those of reasoning. Null when it tells none.
 * Source: `ResponseUsage`, OpenAI API reference.
 */
export function usageOf(wire: Json | undefined): Usage | null {
  const counts = objectOf(wire);
  const input = countOf(counts?.["input_tokens"]);
  const output = countOf(counts?.["output_tokens"]);
  if (input === null && output === null) return null;
  const details = objectOf(counts?.["input_tokens_details"]);
  const cacheRead = countOf(details?.["cached_tokens"]) ?? 0;
  const cacheWrite = countOf(details?.["cache_write_tokens"]) ?? 0;
  return {
    input: Math.max(0, (input ?? 0) - cacheRead - cacheWrite),
    output: output ?? 0,
    cacheRead,
    cacheWrite,
  };
}
