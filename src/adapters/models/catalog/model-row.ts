/** Numbers in the order input, output, cache read, cache write. */
export type RateRow = readonly [number, number, number | null, number | null];

/** One line of the generated table. */
export interface ModelRow {
  readonly provider: string;
  /** Exact names; each also with a date behind it (`-20250929`, `-2025-09-29`). */
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
  readonly window: number | null;
  readonly maxOutputTokens: number | null;
  readonly rates: RateRow;
  readonly long?: readonly [aboveTokens: number, ...RateRow];
}
