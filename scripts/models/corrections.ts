// What the price table does not hold or holds wrongly, with where it was read and when.

import type { ModelRow } from "../../src/adapters/models/catalog/model-row.ts";

/** A number for all models whose `provider/name` begins so; the longest beginning counts. */
export type ByPrefix = readonly [prefix: string, tokens: number];

/** Providers' model pages, 2026-11. */
export const windows: readonly ByPrefix[] = [
  ["gemini/gemini-2.5-pro", 1_048_576],
  ["gemini/gemini-3", 1_048_576],
];

/** Providers' model pages, 2026-11. */
export const maxOutputTokens: readonly ByPrefix[] = [
  ["anthropic/claude-fable-", 128_000],
  ["anthropic/claude-opus-5", 128_000],
  ["anthropic/claude-sonnet-5", 128_000],
  ["anthropic/claude-haiku-4-5", 64_000],
  ["anthropic/claude-sonnet-4", 64_000],
  ["anthropic/claude-opus-4-0", 32_000],
  ["anthropic/claude-opus-4-1", 32_000],
  ["anthropic/claude-opus-4-5", 64_000],
  ["anthropic/claude-opus-4-6", 128_000],
  ["anthropic/claude-opus-4-7", 128_000],
  ["anthropic/claude-opus-4-8", 128_000],
  ["openai/gpt-4.1", 32_768],
  ["openai/gpt-5", 128_000],
  ["openai/gpt-6", 128_000],
  ["openai/o3", 100_000],
  ["openai/o4-mini", 100_000],
  ["gemini/gemini-2.5", 65_536],
  ["gemini/gemini-3", 65_536],
];

/** Models that came after the table. Providers' model and pricing pages, 2026-11. */
export const added: readonly ModelRow[] = [
  {
    provider: "anthropic",
    names: ["claude-fable-5-2"],
    prefixes: [],
    window: 1_000_000,
    maxOutputTokens: 128_000,
    // No page at hand names its cache prices: cached input then counts as plain input, never as less.
    rates: [8, 40, null, 10],
  },
  {
    provider: "anthropic",
    names: ["claude-sonnet-5-5"],
    prefixes: [],
    window: 1_000_000,
    maxOutputTokens: 128_000,
    rates: [2, 10, 0.1, 2.5],
  },
  {
    provider: "anthropic",
    names: ["claude-haiku-5-5"],
    prefixes: [],
    window: 1_000_000,
    maxOutputTokens: 128_000,
    rates: [0.1, 0.5, 0.01, 0.125],
    long: [100_000, 0.5, 2.5, 0.05, 0.625],
  },
  {
    provider: "openai",
    names: ["gpt-6.1-sol"],
    prefixes: [],
    window: 1_050_000,
    maxOutputTokens: 128_000,
    rates: [2, 10, 0.1, 2.5],
    long: [272_000, 4, 15, 0.2, 5],
  },
  {
    provider: "openai",
    names: ["gpt-6.1-terra"],
    prefixes: [],
    window: 1_050_000,
    maxOutputTokens: 128_000,
    rates: [1, 5, 0.05, 1.25],
    long: [272_000, 2, 7.5, 0.1, 2.5],
  },
];
