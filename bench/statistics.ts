/** The value below which `share` (0 … 1) of the samples lie, nearest rank. NaN when there are none. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.max(0, Math.ceil(share * sorted.length) - 1);
  return sorted[rank] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);
