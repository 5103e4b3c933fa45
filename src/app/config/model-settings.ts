import type { Json, JsonObject } from "#core";

/** Tokens; prices in US dollars for a million tokens. */
export interface ModelSettings {
  readonly window?: number;
  readonly maxOutputTokens?: number;
  readonly price?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number | null;
    readonly cacheWrite: number | null;
  };
}

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const tokenKeys: readonly string[] = ["window", "maxOutputTokens"];
const priceKeys: readonly string[] = ["input", "output", "cacheRead", "cacheWrite"];

/** What a settings file says of one model; null when it says something else. */
export function readModelSettings(value: Json): ModelSettings | null {
  if (!isJsonObject(value)) return null;
  const { window, maxOutputTokens, price } = value;
  const known = Object.keys(value).every((key) => key === "price" || tokenKeys.includes(key));
  if (!known || !isTokens(window) || !isTokens(maxOutputTokens)) return null;
  const read = price === undefined ? undefined : readPrice(price);
  if (read === null) return null;
  return {
    ...(window === undefined ? {} : { window }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(read === undefined ? {} : { price: read }),
  };
}

const isTokens = (value: Json | undefined): value is number | undefined =>
  value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value > 0);

function readPrice(value: Json): NonNullable<ModelSettings["price"]> | null {
  if (!isJsonObject(value) || !Object.keys(value).every((key) => priceKeys.includes(key))) {
    return null;
  }
  const { input, output, cacheRead = null, cacheWrite = null } = value;
  if (!isUsd(input) || !isUsd(output)) return null;
  if ((cacheRead !== null && !isUsd(cacheRead)) || (cacheWrite !== null && !isUsd(cacheWrite))) {
    return null;
  }
  return { input, output, cacheRead, cacheWrite };
}

const isUsd = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
