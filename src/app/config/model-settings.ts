import { capabilityValues, type ModelKnowledge } from "#adapters/models";
import type { Json, JsonObject } from "#core";
import type { Words } from "#i18n";

/** Tokens; prices in US dollars for a million tokens; what the model can do and wants. */
export type ModelSettings = ModelKnowledge;

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const tokenKeys = ["window", "maxOutputTokens"] as const;
const neededRates = ["input", "output"] as const;
const cacheRates = ["cacheRead", "cacheWrite"] as const;
/** How the key goes out is a matter of the provider, not of a model. */
const { keyHeader: _, ...ownCapabilities } = capabilityValues;

/** What a settings file says of the models of one provider, or the first thing that is wrong with it, in words. */
export function readModels(
  value: Json,
  words: Words,
): { readonly models: Readonly<Record<string, ModelSettings>> } | { readonly problem: string } {
  const { models: expected } = words.config.expected;
  if (!isJsonObject(value)) return { problem: expected.form };
  const models = new Map<string, ModelSettings>();
  for (const [name, facts] of Object.entries(value)) {
    const problem = problemIn(facts, words);
    if (problem !== null) return { problem: expected.inWhich(name, problem) };
    models.set(name, settingsIn(facts));
  }
  return { models: Object.fromEntries(models) };
}

/** `.window is a whole number from 1`; null when all is right. */
function problemIn(facts: Json, { config }: Words): string | null {
  const { models: expected, count, oneOf } = config.expected;
  if (!isJsonObject(facts)) return expected.field("", config.expected.object);
  for (const [key, value] of Object.entries(facts)) {
    const allowed = Object.entries(ownCapabilities).find(([name]) => name === key)?.[1];
    if (allowed !== undefined) {
      if (!allowed.some((one) => one === value)) return expected.field(`.${key}`, oneOf(allowed));
    } else if (tokenKeys.some((name) => name === key)) {
      if (!isTokens(value)) return expected.field(`.${key}`, count);
    } else if (key === "price") {
      if (readPrice(value) === null) return expected.field(".price", expected.price);
    } else {
      return expected.unknown(key, [...tokenKeys, "price", ...Object.keys(ownCapabilities)]);
    }
  }
  return null;
}

/** Checked before. */
function settingsIn(facts: Json): ModelSettings {
  const own = isJsonObject(facts) ? facts : {};
  const price = readPrice(own["price"] ?? null);
  return { ...own, ...(price === null ? {} : { price }) } as ModelSettings;
}

const isTokens = (value: Json): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;

function readPrice(value: Json): NonNullable<ModelSettings["price"]> | null {
  const known: readonly string[] = [...neededRates, ...cacheRates];
  if (!isJsonObject(value) || !Object.keys(value).every((key) => known.includes(key))) return null;
  const { input, output, cacheRead = null, cacheWrite = null } = value;
  if (!isUsd(input) || !isUsd(output)) return null;
  if ((cacheRead !== null && !isUsd(cacheRead)) || (cacheWrite !== null && !isUsd(cacheWrite))) {
    return null;
  }
  return { input, output, cacheRead, cacheWrite };
}

const isUsd = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
