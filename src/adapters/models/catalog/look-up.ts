import { usualCapabilities, type Capabilities } from "../capabilities.ts";
import type { ModelRow, RateRow } from "./model-row.ts";
import { models } from "./models.generated.ts";
import type { Price, Rates } from "./price.ts";
import { dialectFor } from "./providers.ts";

/** What is known of a model. Null is unknown, never zero. */
export interface ModelFacts extends Pick<Capabilities, "tools" | "images" | "thinking"> {
  /** It stands in the table or in the user's settings. */
  readonly known: boolean;
  /** Tokens of input and output together. */
  readonly window: number | null;
  readonly maxOutputTokens: number | null;
  readonly price: Price | null;
}

/** What is known better than the table: by the user, or by the server itself. */
export type ModelKnowledge = Partial<Omit<ModelFacts, "known"> & Capabilities>;

/** By reference, `provider/model`. */
export type ModelOverrides = Readonly<Record<string, ModelKnowledge>>;

const unknown = { known: false, window: null, maxOutputTokens: null, price: null } as const;

/** What is known of `provider/model`; sizes and prices are as of the day the table was generated. */
export function lookUpModel(ref: string, overrides: ModelOverrides = {}): ModelFacts {
  const slash = ref.indexOf("/");
  const row = rowOf(ref);
  const { tools, images, thinking } =
    dialectFor(ref.slice(0, slash), { model: ref.slice(slash + 1) }) ?? usualCapabilities;
  const sizes =
    row === undefined
      ? unknown
      : {
          known: true,
          window: row.window,
          maxOutputTokens: row.maxOutputTokens,
          price: priceOf(row),
        };
  return withKnowledge({ ...sizes, tools, images, thinking }, ref, overrides);
}

/** Facts with what the user or the server says of them. */
export function withKnowledge(
  facts: ModelFacts,
  ref: string,
  overrides: ModelOverrides = {},
): ModelFacts {
  const own = Object.hasOwn(overrides, ref) ? overrides[ref] : undefined;
  if (own === undefined) return facts;
  return {
    known: true,
    window: own.window ?? facts.window,
    maxOutputTokens: own.maxOutputTokens ?? facts.maxOutputTokens,
    price: own.price ?? facts.price,
    tools: own.tools ?? facts.tools,
    images: own.images ?? facts.images,
    thinking: own.thinking ?? facts.thinking,
  };
}

/** The models of a provider that stand in the table, by their main names. */
export function listModels(provider: string): readonly (ModelFacts & { readonly ref: string })[] {
  return models
    .filter((row) => row.provider === provider)
    .map((row) => {
      const ref = `${provider}/${row.names[0] ?? row.prefixes[0] ?? ""}`;
      return { ref, ...lookUpModel(ref) };
    });
}

function rowOf(ref: string): ModelRow | undefined {
  const slash = ref.indexOf("/");
  const provider = ref.slice(0, slash);
  const name = ref.slice(slash + 1).toLowerCase();
  const undated = name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const rows = models.filter((row) => row.provider === provider);
  return (
    rows.find((row) => row.names.includes(name)) ??
    rows.find((row) => row.names.includes(undated)) ??
    longestPrefix(rows, name)
  );
}

function longestPrefix(rows: readonly ModelRow[], name: string): ModelRow | undefined {
  const length = (row: ModelRow): number =>
    Math.max(0, ...row.prefixes.filter((prefix) => name.startsWith(prefix)).map((p) => p.length));
  return rows
    .filter((row) => length(row) > 0)
    .toSorted((a, b) => length(b) - length(a))
    .at(0);
}

function priceOf({ rates, long }: ModelRow): Price {
  if (long === undefined) return named(rates);
  const [aboveTokens, ...longRates] = long;
  return { ...named(rates), long: { aboveTokens, rates: named(longRates) } };
}

const named = ([input, output, cacheRead, cacheWrite]: RateRow): Rates => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});
