import { type Usage } from "#core";

/** USD for a million tokens of each kind. A kind without a price of its own costs what plain input costs. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number | null;
  /** For the cache kept five minutes, the one Pawl asks for. */
  readonly cacheWrite: number | null;
}

export interface Price extends Rates {
  /** Rates of a whole request whose input, cached or not, is longer than this. */
  readonly long?: { readonly aboveTokens: number; readonly rates: Rates };
}

/** USD of one reply; null when the price is unknown. */
export function costUsd(price: Price | null, usage: Usage): number | null {
  if (price === null) return null;
  const inputTokens = usage.input + usage.cacheRead + usage.cacheWrite;
  const { long } = price;
  const rates = long !== undefined && inputTokens > long.aboveTokens ? long.rates : price;
  const millionths =
    usage.input * rates.input +
    usage.output * rates.output +
    usage.cacheRead * (rates.cacheRead ?? rates.input) +
    usage.cacheWrite * (rates.cacheWrite ?? rates.input);
  return millionths / 1e6;
}

/** USD of one input token at the best rate: no request can cost less for its input. Null when unknown. */
export function cheapestInputUsd(price: Price | null): number | null {
  return price === null ? null : Math.min(price.input, price.cacheRead ?? price.input) / 1e6;
}
