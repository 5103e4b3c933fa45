import type { Json, Usage } from "#core";
import { countOf, objectOf } from "../shared/json-read.ts";

/** The counts of a stream so far, in the words of the wire. */
export type Counts = Readonly<Record<string, number>>;

const names = [
  "promptTokenCount",
  "toolUsePromptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
];

/** Counts after one more frame: totals so far, never increments; a frame that leaves one out does not erase it. */
export function countsAfter(before: Counts, wire: Json | undefined): Counts {
  const told = objectOf(wire);
  if (told === null) return before;
  const news = names.flatMap((name) => {
    const count = countOf(told[name]);
    return count === null ? [] : [[name, count] as const];
  });
  return news.length === 0 ? before : { ...before, ...Object.fromEntries(news) };
}

/**
 * What the counts mean: the prompt holds what was cached, and thoughts are billed as output. Null when no frame named any.
 * Source: `UsageMetadata`, Gemini API reference.
 */
export function usageOf(counts: Counts): Usage | null {
  if (Object.keys(counts).length === 0) return null;
  const count = (name: string): number => counts[name] ?? 0;
  const cacheRead = count("cachedContentTokenCount");
  const prompt = count("promptTokenCount") + count("toolUsePromptTokenCount");
  return {
    input: Math.max(0, prompt - cacheRead),
    output: count("candidatesTokenCount") + count("thoughtsTokenCount"),
    cacheRead,
    cacheWrite: 0,
  };
}
