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
import { type Limits, PawlError, type Usage } from "#core";
import type { AgentParts, Clock, ModelClient } from "#runtime";
import type { Settings } from "./config/index.ts";
import { defaultModels, parseModel, presentProviders } from "./config/model.ts";
import { keySource, missingKey, providerSettings, readKey } from "./secret-key.ts";

export interface ModelRequestParts {
  readonly settings: Settings;
  /** Folder that relative script files are looked for in. */
  readonly cwd: string;
  /** From a flag; null = as the settings say. */
  readonly baseUrl: string | null;
  /** The model of the session that goes on; null for a new one. */
  readonly before: string | null;
  readonly limits: Limits;
  readonly clock: Clock;
}

export interface OpenModel {
  readonly client: (ref: string) => ModelClient;
  readonly agent: Pick<AgentParts, "model" | "window" | "maxOutputTokens" | "cheapestInputUsd">;
  readonly costUsd: (model: string, usage: Usage) => number | null;
  readonly notices: readonly string[];
}

/** Tokens of a reply when the model is not in the table. */
const usualOutputTokens = 8_192;

/**
 * The model a session runs with: what was chosen for this run, else the session's own, else what is set, else the
 * first provider with a key.
 * @throws PawlError `no_model`, `unknown_model`, `no_key`, `price_unknown`, `script_unreadable`, `script_invalid`
 */
export async function openModel(parts: ModelRequestParts): Promise<OpenModel> {
  const { settings, limits, clock, cwd } = parts;
  const { words } = settings;
  const ref = chooseModel(parts);
  const { provider } = parseModel(ref, words);
  const overrides = overridesIn(settings);
  const facts = modelFacts(ref, { cwd, overrides });
  if (limits.costUsd !== null && facts.price === null) {
    throw new PawlError("price_unknown", words.model.priceUnknown(ref));
  }
  const providers = { [provider]: await providerOptions(parts, provider) };
  const client = modelClients({ providers, cwd, clock, overrides });
  // Told now, while nothing has begun, and not by the first request.
  client(ref);
  return {
    client,
    agent: {
      model: ref,
      window: facts.window,
      maxOutputTokens: facts.maxOutputTokens ?? usualOutputTokens,
      cheapestInputUsd: cheapestInputUsd(facts.price),
    },
    costUsd: (model, usage) =>
      costUsd(model === ref ? facts.price : lookUpModel(model, overrides).price, usage),
    notices: facts.known ? [] : [words.model.unknown(ref)],
  };
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
  const set = settings.modelIsChosen ? settings.model : (before ?? settings.model);
  const ref = set ?? firstWithKey(settings);
  if (ref === null) throw new PawlError("no_model", settings.words.model.none);
  const { provider, name } = parseModel(ref, settings.words);
  // Whole, so that the session can go on from any folder.
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
