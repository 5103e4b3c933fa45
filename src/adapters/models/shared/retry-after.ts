import type { JsonObject } from "#core";
import { objectOf, stringOf } from "./json-read.ts";

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The server's own minimum wait: `retry-after-ms`, else `Retry-After` as seconds or as a date (RFC 9110, 10.2.3), which
 * is compared with the server's own `Date` so that a wrong clock here does no harm. Null when there is none or it
 * cannot be read.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const ms = headers["retry-after-ms"]?.trim();
  if (ms !== undefined && /^\d+(\.\d+)?$/.test(ms)) return bounded(Number(ms));
  const value = headers["retry-after"]?.trim();
  if (value === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return bounded(Number(value) * 1000);
  const until = httpDate(value);
  return until === null ? null : bounded(until - (httpDate(headers["date"]) ?? nowMs));
}

/** Any number may come; a year is for ever. */
const longestMs = 366 * 86_400_000;

const bounded = (ms: number): number => Math.min(longestMs, Math.max(0, Math.ceil(ms)));

/** A date of HTTP always names its day and ends in GMT; anything else (`-1`, `2`, `soon`) is none. */
function httpDate(text: string | undefined): number | null {
  if (text === undefined || !/^[A-Z][a-z]+,? .*GMT$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** The wait named in an error body: Google's RetryInfo, or "try again in 820ms" as OpenAI words it. */
export function retryAfterInBody(error: JsonObject, message: string): number | null {
  const details = error["details"];
  if (Array.isArray(details)) {
    for (const detail of details) {
      const delay = stringOf(objectOf(detail)?.["retryDelay"]);
      if (delay !== null) return durationMs(delay);
    }
  }
  const told = /\btry again in ((?:\d+(?:\.\d+)?(?:ms|[hms]))+)/i.exec(message)?.[1];
  return told === undefined ? null : durationMs(told);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `34.4s`, `6m0s`, `820ms`. */
function durationMs(text: string): number | null {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[hms])/g)];
  if (parts.length === 0) return null;
  const sum = parts.reduce(
    (total, [, count = "0", unit = "s"]) => total + Number(count) * (unitMs[unit] ?? 0),
    0,
  );
  return bounded(sum);
}
