import { defaultLimits, type Json, type Limits, PawlError } from "#core";
import type { Words } from "#i18n";

/** Named turn limits: small questions, long jobs (requirement R31). */
const presets: Readonly<Record<string, number>> = { quick: 5, long: 300 };

/** Turns without end are allowed only beside another hard limit. */
const withoutEnd = Number.MAX_SAFE_INTEGER;

/** Reads turns as written in a flag or file: a whole number from 1, a preset, or `unlimited`; else null. */
export function parseTurns(written: Json): number | "unlimited" | null {
  if (written === "unlimited") return "unlimited";
  if (typeof written === "string" && Object.hasOwn(presets, written)) {
    return presets[written] ?? null;
  }
  return parseCount(written);
}

/** A whole number from 1, written as a number or as digits; else null. */
export function parseCount(written: Json): number | null {
  const number = typeof written === "string" && /^\d+$/.test(written) ? Number(written) : written;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 1 ? number : null;
}

/** An amount above 0, written as a number or as decimal digits; else null. */
export function parseAmount(written: Json): number | null {
  const number =
    typeof written === "string" && /^\d+(\.\d+)?$/.test(written) ? Number(written) : written;
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : null;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Longest timer Node has: 2^31 - 1 ms, about 24.8 days. */
const longestMs = 2_147_483_647;

/** `90s`, `30m`, `1h30m` in milliseconds; null when it is none of these. */
export function parseDuration(written: string): number | null {
  if (!/^(\d+(\.\d+)?[smh])+$/.test(written)) return null;
  let totalMs = 0;
  for (const [, amount, unit] of written.matchAll(/(\d+(?:\.\d+)?)([smh])/g)) {
    totalMs += Number(amount) * (unitMs[unit ?? ""] ?? Number.NaN);
  }
  return totalMs >= 1 && totalMs <= longestMs ? Math.round(totalMs) : null;
}

export interface WrittenLimits {
  readonly turns: number | "unlimited" | null;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  readonly toolCalls: number | null;
  readonly timeMs: number | null;
}

/**
 * The limits that hold. Turns are never missing (requirement R32).
 * @throws PawlError `limits_missing` when turns are unlimited and nothing else is limited
 */
export function limitsFrom(written: WrittenLimits, words: Words): Limits {
  const { costUsd, tokens, toolCalls, timeMs } = written;
  const others = { costUsd, tokens, toolCalls, timeMs };
  if (written.turns !== "unlimited") {
    return { ...others, turns: written.turns ?? defaultLimits.turns };
  }
  if (Object.values(others).every((limit) => limit === null)) {
    throw new PawlError("limits_missing", words.config.unlimitedAlone);
  }
  return { ...others, turns: withoutEnd };
}
