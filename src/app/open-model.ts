import { resolve } from "node:path";

import {
  cheapestInputUsd,
  costUsd,
  listModels,
  lookUpModel,
  modelClients,
  type ModelFacts,
  modelFacts,
  type ModelOverrides,
  providerNamed,
  type ProviderOptions,
} from "#adapters/models";
import {
  type Agent,
  type AgentModel,
  isPawlError,
  type Limits,
  PawlError,
  type Usage,
} from "#core";
import type { AgentParts, Clock, ModelClient } from "#runtime";
import type { Settings } from "./config/index.ts";
import { defaultModels, parseModel, presentProviders } from "./config/model.ts";
import { keySource, missingKey, providerSettings, readKey } from "./secret-key.ts";

export interface ModelRequestParts {
  readonly settings: Settings;
  /** Folder that relative script files are looked for in. */
  readonly cwd: string;
  /** From a flag, for the chosen provider; null = as the settings say. */
  readonly baseUrl: string | null;
  /** From a flag; null = as the session had it. */
  readonly fallback: string | null;
  /** The agent of the session that goes on; null for a new one. */
  readonly before: Pick<Agent, "model" | "fallback"> | null;
  readonly limits: Limits;
  readonly clock: Clock;
}

export interface OpenModel {
  readonly client: (ref: string) => ModelClient;
  readonly agent: AgentModel & Pick<AgentParts, "fallback">;
  readonly costUsd: (model: string, usage: Usage) => number | null;
  readonly notices: readonly string[];
}

/** Tokens of a reply when the model is not in the table. */
const usualOutputTokens = 8_192;

/**
 * The model a session runs with: what was chosen for this run, else the session's own, else what is set, else the
 * first provider with a key. And the one that steps in for it, if there is one.
 * @throws PawlError `no_model`, `unknown_model`, `no_key`, `price_unknown`, `script_unreadable`, `script_invalid`,
 * `usage` for a fallback that is the model itself
 */
export async function openModel(parts: ModelRequestParts): Promise<OpenModel> {
  const { settings, cwd, clock } = parts;
  const ref = chooseModel(parts);
  const chosen = await openOne(ref, parts);
  const standby = await openFallback(chosen, parts);
  const opened = standby.opened === null ? [chosen] : [chosen, standby.opened];
  const providers = Object.fromEntries(opened.map(({ provider, how }) => [provider, how]));
  const client = modelClients({ providers, cwd, clock, overrides: overridesIn(settings) });
  // Told now, while nothing has begun, and not by the first request.
  for (const { model } of opened) client(model.model);
  return {
    client,
    agent: { ...chosen.model, fallback: standby.opened?.model ?? null },
    costUsd(model, usage) {
      const facts = opened.find((one) => one.model.model === model)?.facts;
      return costUsd((facts ?? lookUpModel(model, overridesIn(settings))).price, usage);
    },
    notices: [...opened.flatMap(({ notices }) => notices), ...standby.notices],
  };
}

interface Opened {
  readonly model: AgentModel;
  readonly provider: string;
  readonly how: ProviderOptions;
  readonly facts: ModelFacts;
  readonly notices: readonly string[];
}

async function openOne(ref: string, parts: ModelRequestParts): Promise<Opened> {
  const { settings, limits, cwd } = parts;
  const { words } = settings;
  const { provider } = parseModel(ref, words);
  const facts = modelFacts(ref, { cwd, overrides: overridesIn(settings) });
  if (limits.costUsd !== null && facts.price === null) {
    throw new PawlError("price_unknown", words.model.priceUnknown(ref));
  }
  return {
    model: {
      model: ref,
      window: facts.window,
      maxOutputTokens: facts.maxOutputTokens ?? usualOutputTokens,
      cheapestInputUsd: cheapestInputUsd(facts.price),
    },
    provider,
    how: await providerOptions(parts, provider),
    facts,
    notices: facts.known ? [] : [words.model.unknown(ref)],
  };
}

interface Standby {
  readonly opened: Opened | null;
  readonly notices: readonly string[];
}

/**
 * The model that steps in. One that was asked for must be usable; one that the session had before and that cannot be
 * had any more is left out, and said.
 */
async function openFallback(chosen: Opened, parts: ModelRequestParts): Promise<Standby> {
  const { settings, before, cwd } = parts;
  const { words } = settings;
  const own = chosen.model.model;
  const asked = parts.fallback === null ? null : wholeRef(parts.fallback, { settings, cwd });
  if (asked === own) throw new PawlError("usage", words.model.fallbackIsModel(own));
  const ref = asked ?? before?.fallback?.model ?? null;
  if (ref === null || ref === own) return { opened: null, notices: [] };
  // The address of a flag is that of the chosen model's provider.
  const { provider } = parseModel(ref, words);
  const baseUrl = provider === chosen.provider ? parts.baseUrl : null;
  try {
    return { opened: await openOne(ref, { ...parts, baseUrl }), notices: [] };
  } catch (error) {
    if (asked !== null || !isPawlError(error)) throw error;
    return { opened: null, notices: [words.model.fallbackGone(ref, error.message)] };
  }
}

/** What the user says of models, by reference. */
function overridesIn(settings: Settings): ModelOverrides {
  const own = Object.entries(settings.providers).flatMap(([provider, { models }]) =>
    Object.entries(models).map(([name, facts]) => [`${provider}/${name}`, facts] as const),
  );
  return Object.fromEntries(own);
}

function chooseModel({
  settings,
  before,
  cwd,
}: Pick<ModelRequestParts, "settings" | "before" | "cwd">): string {
  const set = settings.modelIsChosen ? settings.model : (before?.model ?? settings.model);
  const ref = set ?? firstWithKey(settings);
  if (ref === null) throw new PawlError("no_model", settings.words.model.none);
  return wholeRef(ref, { settings, cwd });
}

/** Whole, so that the session can go on from any folder. */
function wholeRef(
  ref: string,
  { settings, cwd }: Pick<ModelRequestParts, "settings" | "cwd">,
): string {
  const { provider, name } = parseModel(ref, settings.words);
  return provider === "scripted" ? `scripted/${resolve(cwd, name)}` : ref;
}

function firstWithKey(settings: Settings): string | null {
  const found = defaultModels.find(({ provider }) => keySource(settings, provider) !== null);
  return found === undefined ? null : `${found.provider}/${found.name}`;
}

async function providerOptions(
  { settings, baseUrl }: ModelRequestParts,
  provider: string,
): Promise<ProviderOptions> {
  if (provider === "scripted") return {};
  const own = providerSettings(settings, provider);
  const url = baseUrl ?? own.baseUrl;
  const apiKey = await readKey(settings, provider);
  if (apiKey === null && url === null && needsKey(provider)) throw missingKey(settings, provider);
  return { apiKey, headers: own.headers, ...(url === null ? {} : { baseUrl: url }) };
}

export interface ModelCheck {
  readonly model: string;
  /** The variable or command the key comes from; null when there is none. */
  readonly keyFrom: string | null;
  /** null for a model in a file. */
  readonly url: string | null;
}

/**
 * What a new session would run with. Reads no key.
 * @throws PawlError `no_model`, `unknown_model`, `no_key`
 */
export function checkModel(settings: Settings, cwd: string, baseUrl: string | null): ModelCheck {
  const model = chooseModel({ settings, cwd, before: null });
  const { provider } = parseModel(model, settings.words);
  if (provider === "scripted") return { model, keyFrom: null, url: null };
  const url = baseUrl ?? providerSettings(settings, provider).baseUrl;
  const keyFrom = keySource(settings, provider);
  if (keyFrom === null && url === null && needsKey(provider)) throw missingKey(settings, provider);
  return { model, keyFrom, url: url ?? providerNamed(provider)?.baseUrl ?? null };
}

/** At its usual address; a gateway at another one may need none. */
const needsKey = (provider: string): boolean => providerNamed(provider)?.key === "needed";

type KnownModel = ModelFacts & { readonly ref: string };

/** Models of the table and of the settings that this version can speak to. */
export function knownModels(settings: Settings): readonly KnownModel[] {
  const overrides = overridesIn(settings);
  const table = presentProviders.flatMap(listModels);
  const own = Object.keys(overrides).filter((ref) => table.every((model) => model.ref !== ref));
  const refs = [...table.map(({ ref }) => ref), ...own];
  return refs.map((ref) => ({ ref, ...lookUpModel(ref, overrides) }));
}
