import { noUsage, type Json, type Usage } from "#core";
import { countOf, objectOf } from "../shared/json-read.ts";

/**
 * Usage after one more frame. Counts are totals so far, never increments. The input counts of a later frame replace
 * the earlier ones as a whole when it names any input; a gateway that sends zeros at the end does not erase what
 * the beginning said (field case P08). Null while no frame has named any.
 */
export function usageAfter(before: Usage | null, wire: Json | undefined): Usage | null {
  const counts = objectOf(wire);
  if (counts === null) return before;
  const known = before ?? noUsage;
  const input = countOf(counts["input_tokens"]) ?? 0;
  const cacheRead = countOf(counts["cache_read_input_tokens"]);
  const cacheWrite = countOf(counts["cache_creation_input_tokens"]);
  const output = countOf(counts["output_tokens"]) ?? known.output;
  if (before === null || input > 0) {
    return {
      input,
      output,
      cacheRead: cacheRead ?? known.cacheRead,
      cacheWrite: cacheWrite ?? known.cacheWrite,
    };
  }
  return {
    input: known.input,
    output,
    cacheRead: Math.max(known.cacheRead, cacheRead ?? 0),
    cacheWrite: Math.max(known.cacheWrite, cacheWrite ?? 0),
  };
}
