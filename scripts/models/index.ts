// Writes src/adapters/models/catalog/models.generated.ts from @pydantic/genai-prices (MIT, Pydantic Services Inc.)
// and corrections.ts. `--check` fails when the file is not what would be written.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  findProvider,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
} from "@pydantic/genai-prices";
import type { ModelRow } from "../../src/adapters/models/catalog/model-row.ts";
import { ROOT } from "../package-json.ts";
import { added, maxOutputTokens, windows, type ByPrefix } from "./corrections.ts";

/** Prices change on announced days: the table holds those of this one. */
const AS_OF = "2026-11-30";

/** Our names of providers, theirs, and the models worth a line: current ones that write text and call tools. */
const PROVIDERS: readonly (readonly [ours: string, theirs: string, current: RegExp])[] = [
  ["anthropic", "anthropic", /^claude-(fable|opus|sonnet|haiku)-[4-9]|^claude-fable/],
  ["openai", "openai", /^(gpt-4\.1|gpt-[5-9]|o3$|o4-mini$)(?!.*(image|deep|pro\b))/],
  [
    "gemini",
    "google",
    /^gemini-(2\.5-(pro|flash|flash-lite)|[3-9][^a-z]*(pro|flash)(-lite)?(-preview)?)$/,
  ],
  ["deepseek", "deepseek", /^deepseek/],
  ["xai", "x-ai", /^grok-(4|[5-9]|code|build)/],
  [
    "mistral",
    "mistral",
    /^(mistral-(large|medium|small)-(25(0[5-9]|1)|2[6-9]|latest|3)|devstral-2|codestral-2508|magistral)/,
  ],
  ["moonshot", "moonshotai", /^kimi-k(2\.[5-9]|[3-9])/],
  ["zai", "zai", /^GLM-/],
  ["groq", "groq", /^(openai\/gpt-oss|moonshotai|qwen|meta-llama\/llama-4-[sm]|llama-3\.3-70b-v)/],
  [
    "openrouter",
    "openrouter",
    /^(?!.*(image|fast$|pro$|:))(anthropic\/claude-(fable|opus|sonnet|haiku)-[4-9]|openai\/gpt-(5\.[3-9]|[6-9])|google\/gemini-3|deepseek\/deepseek-v[4-9]|moonshotai\/kimi-k(2\.[5-9]|[3-9])|z-ai\/glm-5|qwen\/qwen3-coder|x-ai\/grok-4\.[3-9])/,
  ],
  ["minimax", "minimax", /^(MiniMax-M|minimax-m3)/],
];

const FEWEST_ROWS = 60;
const TARGET = "src/adapters/models/catalog/models.generated.ts";

function rows(): readonly ModelRow[] {
  const found = PROVIDERS.flatMap(([provider, providerId, current]) => {
    const models = findProvider({ providerId })?.models ?? [];
    return models
      .filter((model) => current.test(model.id) && model.deprecated !== true)
      .flatMap((model) => rowOf(provider, model));
  });
  const isAdded = (row: ModelRow): boolean =>
    added.some(({ provider, names }) => provider === row.provider && names[0] === row.names[0]);
  return [...found.filter((row) => !isAdded(row)), ...added];
}

function rowOf(provider: string, model: ModelInfo): readonly ModelRow[] {
  const price = priceNow(model.prices);
  const input = base(price["input_mtok"]);
  const output = base(price["output_mtok"]);
  if (input === null || output === null) return [];
  const named = [model.id, ...matching(model.match, "equals")];
  const names = [...new Set(named.map((name) => undated(name).toLowerCase()))];
  const above = firstTier(price["input_mtok"]);
  const rates = (rate: (value: ModelPrice[string]) => number | null) =>
    [rate(price["cache_read_mtok"]), rate(price["cache_write_mtok"])] as const;
  return [
    {
      provider,
      names,
      prefixes: matching(model.match, "starts_with").map((prefix) => prefix.toLowerCase()),
      window: model.context_window ?? corrected(windows, `${provider}/${model.id}`),
      maxOutputTokens: corrected(maxOutputTokens, `${provider}/${model.id}`),
      rates: [input, output, ...rates(base)],
      ...(above === null
        ? {}
        : {
            long: [
              above,
              tier(price["input_mtok"]) ?? input,
              tier(price["output_mtok"]) ?? output,
              ...rates(tier),
            ] as const,
          }),
    },
  ];
}

const undated = (name: string): string => name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");

/** Of the prices that hold on the day, the last; of prices by the hour, the dearest: a budget must not be too small. */
function priceNow(prices: ModelInfo["prices"]): ModelPrice {
  if (!Array.isArray(prices)) return prices;
  const dated = prices.filter(({ constraint }) => constraint?.type !== "time_of_date");
  const begun = dated.filter(
    ({ constraint }) => constraint?.type !== "start_date" || constraint.start_date <= AS_OF,
  );
  const hourly = prices.filter(({ constraint }) => constraint?.type === "time_of_date");
  const candidates = [...begun.slice(-1), ...hourly].map((one) => one.prices);
  const dearest = candidates.toSorted(
    (a, b) => (base(b["input_mtok"]) ?? 0) - (base(a["input_mtok"]) ?? 0),
  )[0];
  return dearest ?? {};
}

function base(rate: ModelPrice[string]): number | null {
  if (rate === undefined || typeof rate === "number") return rate ?? null;
  return rate.base;
}

function tier(rate: ModelPrice[string]): number | null {
  if (rate === undefined || typeof rate === "number") return rate ?? null;
  return rate.tiers[0]?.price ?? rate.base;
}

function firstTier(rate: ModelPrice[string]): number | null {
  return typeof rate === "object" ? (rate.tiers[0]?.start ?? null) : null;
}

function matching(logic: MatchLogic, kind: "equals" | "starts_with"): readonly string[] {
  if ("or" in logic) return logic.or.flatMap((one) => matching(one, kind));
  if ("and" in logic) return logic.and.flatMap((one) => matching(one, kind));
  if (kind === "equals" && "equals" in logic) return [logic.equals];
  return kind === "starts_with" && "starts_with" in logic ? [logic.starts_with] : [];
}

function corrected(list: readonly ByPrefix[], ref: string): number | null {
  const found = list
    .filter(([prefix]) => ref.startsWith(prefix))
    .toSorted(([a], [b]) => b.length - a.length)[0];
  return found?.[1] ?? null;
}

const table = rows();
if (table.length < FEWEST_ROWS)
  throw new Error(`only ${table.length} models: the source has changed`);
const text = [
  "// Written by `npm run models` from @pydantic/genai-prices 0.1.8 (MIT, Copyright (c) Pydantic Services Inc.) and",
  `// scripts/models/corrections.ts. Prices of ${AS_OF}, USD for a million tokens.`,
  'import type { ModelRow } from "./model-row.ts";',
  "",
  "export const models: readonly ModelRow[] = [",
  ...table.map((row) => `  ${JSON.stringify(row)},`),
  "];",
  "",
].join("\n");

const path = join(ROOT, TARGET);
if (!process.argv.includes("--check")) {
  writeFileSync(path, text);
} else if (readFileSync(path, "utf8") !== text) {
  console.error(`${TARGET} is not what its sources give; run \`npm run models\``);
  process.exitCode = 1;
}
