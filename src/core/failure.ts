/** What can go wrong with a model request, in one vocabulary for every provider. */
export type FailureClass =
  | "auth"
  | "billing"
  | "not_found"
  | "invalid_request"
  | "broken_history"
  | "bad_tool_call"
  | "content_filter"
  | "context_overflow"
  | "rate_limit"
  | "overloaded"
  | "server"
  | "network"
  | "tls"
  | "stall"
  | "truncated"
  | "aborted"
  | "bad_answer"
  | "internal";

export interface Failure {
  readonly class: FailureClass;
  /** What happened and what to do, one or two sentences, without secrets. */
  readonly message: string;
  /** HTTP status, when there was an answer. */
  readonly status: number | null;
  /** The server's own minimum wait; a floor, never a ceiling. */
  readonly retryAfterMs: number | null;
  /** Who answered and what it said in its own words, for faces that word the rest in another language. */
  readonly source?: { readonly peer: string; readonly said: string };
  /** The server itself said that trying again is useless. */
  readonly final?: true;
  /** The part of the request that the server refused: images can be left out, tools can be asked for as text. */
  readonly about?: "images" | "tools";
}

const retryable: ReadonlySet<FailureClass> = new Set([
  "rate_limit",
  "overloaded",
  "server",
  "network",
  "stall",
  "truncated",
]);

/** Attempts of one turn, first one included. */
export const maxAttempts: number = 6;
const baseDelayMs = 500;
const maxDelayMs = 30_000;
/**
 * The waits of one request are at most this together: what would take longer is not waited for. The run then ends
 * resumable and says when to come back.
 */
export const longestWaitMs: number = 10 * 60_000;

/** It may pass by itself. */
export const isPassing = (failure: Failure): boolean =>
  failure.final !== true && retryable.has(failure.class);

/**
 * How long to wait before the next attempt; null = do not retry.
 * Exponential with full jitter above half: d/2 … d. `Retry-After` is a floor (RFC 9110, 10.2.3).
 * @param tried attempts so far, and the sum of the waits between them
 * @param jitter 0 … 1, recorded in the fact so that replay waits the same
 */
export function retryDelayMs(
  failure: Failure,
  { attempt, waitedMs }: { readonly attempt: number; readonly waitedMs: number },
  jitter: number,
): number | null {
  if (!isPassing(failure) || attempt >= maxAttempts) return null;
  const exponential = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  const delayMs = Math.round(exponential * (0.5 + jitter / 2));
  const floorMs =
    failure.retryAfterMs === null ? 0 : failure.retryAfterMs + Math.round(jitter * 250);
  const waitMs = Math.max(delayMs, floorMs);
  return waitedMs + waitMs > longestWaitMs ? null : waitMs;
}
