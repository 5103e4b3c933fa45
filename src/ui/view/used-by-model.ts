import { addUsage, type Fact, noUsage, type Usage } from "#core";

export interface Used {
  readonly replies: number;
  readonly usage: Usage;
  readonly costUsd: number;
  /** Something of it has no known price. */
  readonly isUnpriced: boolean;
}

const nothing: Used = { replies: 0, usage: noUsage, costUsd: 0, isUnpriced: false };

/** What one more fact adds to what each model has used, failed requests that were billed among it. */
export function used(
  before: ReadonlyMap<string, Used>,
  fact: Fact,
  model: string,
): ReadonlyMap<string, Used> {
  if (fact.type !== "response.received" && fact.type !== "request.failed") return before;
  if (fact.usage === null) return before;
  const by = fact.type === "response.received" ? fact.model : model;
  const old = before.get(by) ?? nothing;
  return new Map(before).set(by, {
    replies: old.replies + (fact.type === "response.received" ? 1 : 0),
    usage: addUsage(old.usage, fact.usage),
    costUsd: old.costUsd + (fact.costUsd ?? 0),
    isUnpriced: old.isUnpriced || fact.costUsd === null,
  });
}
