import type { CallId } from "./id.ts";
import { addUsage, noUsage, totalTokens, type Usage } from "./message.ts";

/** What one prompt may use. Turns always have a limit (requirement R32); null = no limit. */
export interface Limits {
  /** Model replies. */
  readonly turns: number;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  readonly toolCalls: number | null;
  /** Wall time while anything but a person is awaited. */
  readonly timeMs: number | null;
}

export type LimitName = "turns" | "cost" | "tokens" | "tool_calls" | "time" | "no_progress";

/** Source of 50: requirements, decision D1. */
export const defaultLimits: Limits = {
  turns: 50,
  costUsd: null,
  tokens: null,
  toolCalls: null,
  timeMs: null,
};

/** Turns always have a limit: where none that makes sense is given, the default holds (requirement R32). */
export const withTurnLimit = (limits: Limits): Limits =>
  Number.isSafeInteger(limits.turns) && limits.turns >= 1
    ? limits
    : { ...limits, turns: defaultLimits.turns };

/** What has been used, by one prompt or by the whole session. */
export interface Spent {
  readonly turns: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  readonly costUsd: number;
  /** Replies whose price is unknown: their cost is not in `costUsd`. */
  readonly unpriced: number;
}

export interface Budget extends Spent {
  /** USD set aside for running sub-agents, by the call that runs them. */
  readonly reserved: Readonly<Record<CallId, number>>;
}

export const nothingSpent: Spent = {
  turns: 0,
  toolCalls: 0,
  usage: noUsage,
  costUsd: 0,
  unpriced: 0,
};

export interface Charge {
  readonly turns: number;
  readonly usage: Usage;
  /** null = price unknown. */
  readonly costUsd: number | null;
}

export function charge<T extends Spent>(spent: T, what: Charge): T {
  return {
    ...spent,
    turns: spent.turns + what.turns,
    usage: addUsage(spent.usage, what.usage),
    costUsd: spent.costUsd + (what.costUsd ?? 0),
    unpriced: spent.unpriced + (what.costUsd === null ? 1 : 0),
  };
}

/**
 * Limits that forbid one more request now, in the order they are reported (requirement R28).
 * @param owedUsd USD set aside for sub-agents, and what the next request costs at the very least (infinite when its
 * price is unknown): a request that cannot fit is not sent, and one that does overshoots by its own cost at most
 */
export function spentLimit(limits: Limits, spent: Spent, owedUsd: number): LimitName | null {
  if (spent.turns >= limits.turns) return "turns";
  const { costUsd } = limits;
  if (costUsd !== null) {
    // What nobody knows the price of may have cost anything: a limit that cannot be kept stops at once.
    const isKept = spent.unpriced === 0 && spent.costUsd < costUsd;
    if (!isKept || spent.costUsd + owedUsd > costUsd) return "cost";
  }
  if (limits.tokens !== null && totalTokens(spent.usage) >= limits.tokens) return "tokens";
  return null;
}

/** From the second turn on the last allowed reply is asked for without tools: it hands over. */
export function isFinalTurn(limits: Limits, spent: Spent): boolean {
  const lastTurn = limits.turns >= 2 && spent.turns === limits.turns - 1;
  const noCallsLeft = limits.toolCalls !== null && spent.toolCalls >= limits.toolCalls;
  return spent.turns >= 1 && (lastTurn || noCallsLeft);
}

/** True for exactly one turn of a prompt: the first at 80 % of the turns. */
export function isWarningTurn(limits: Limits, spent: Spent): boolean {
  return spent.turns >= 1 && spent.turns === Math.ceil(limits.turns * 0.8);
}
