import type { FactOf } from "#core";
import type { Words } from "#i18n";

/** What a reply took: tokens in, how many of them the provider had kept, tokens out, and what that costs. */
export function usedText(
  { usage, costUsd }: Pick<FactOf<"response.received">, "usage" | "costUsd">,
  { progress }: Words,
): string {
  const { input, cacheRead, cacheWrite, output } = usage;
  const cost = costUsd === null ? progress.unpriced : `$${costUsd.toFixed(4)}`;
  return progress.used(input + cacheRead + cacheWrite, output, { cached: cacheRead, cost });
}
