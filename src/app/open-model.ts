import { resolve } from "node:path";

import {
  cheapestInputUsd,
  costUsd,
  lookUpModel,
  modelClients,
  type ModelFacts,
  modelFacts,
  type ModelOverrides,
  providerNamed,
  type ProviderOptions,
} from "#adapters/models";
import { systemClock } from "#adapters/system";
import {
  type Agent,
  type AgentModel,
  isPawlError,
  type Limits,
  PawlError,
  type ThinkingLevel,
  type Usage,
} from "#core";
import type { AgentParts, Clock, ModelClient } from "#runtime";
import type { Settings } from "./config/index.ts";
import { defaultModels, modelOverrides, parseModel } from "./config/model.ts";
import type { LocalWord, Offer } from "./local-models.ts";
import { keySource, missingKey, providerSettings, readKey } from "./secret-key.ts";
import { shownUrl } from "./shown-url.ts";

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
  readonly thinking: ThinkingLevel | null;
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
 * first provider with a key, else the first model of a server on this machine. And the one that steps in for it, if there is one.
 * @throws PawlError `no_model`, `unknown_model`, `no_key`, `price_unknown`, `script_unreadable`, `script_invalid`,
 * `usage` for a fallback that is the model itself
 */
export async function openModel(parts: ModelRequestParts): Promise<OpenModel> {
  const { settings, cwd, clock } = parts;
  const chosen = await openChosen(parts);
  const standby = await openFallback(chosen, parts);
  const opened = standby.opened === null ? [chosen] : [chosen, standby.opened];
  const providers = Object.fromEntries(opened.map(({ provider, how }) => [provider, how]));
  const overrides = opened.reduce(
    (all, one) => ({ ...all, ...one.overrides }),
    modelOverrides(settings.providers),
  );
  const client = modelClients({ providers, cwd, clock, overrides });
  // Told now, while nothing has begun, and not by the first request.
  for (const { model } of opened) client(model.model);
  return {
    client,
    agent: { ...chosen.model, fallback: standby.opened?.model ?? null },
    costUsd(model, usage) {
      const facts = opened.find((one) => one.model.model === model)?.facts;
      return costUsd((facts ?? lookUpModel(model, overrides)).price, usage);
    },
    notices: [...opened.flatMap(({ notices }) => notices), ...standby.notices],
  };
}

interface Opened {
  readonly model: AgentModel;
  readonly provider: string;
  readonly how: ProviderOptions;
  readonly facts: ModelFacts;
  /** What the user and its server say of it. */
  readonly overrides: ModelOverrides;
  readonly notices: readonly string[];
}

async function openChosen(parts: ModelRequestParts): Promise<Opened> {
  const { settings, clock } = parts;
  const { words } = settings;
  const ref = chooseModel(parts);
  if (ref !== null) return openOne(ref, parts);
  const { offeredModels, wordOf } = await import("./local-models.ts");
  const [offer] = await offeredModels(settings, clock);
  if (offer === undefined) throw new PawlError("no_model", words.model.none);
  const used = words.model.local.used(offer.ref, shownUrl(offer.baseUrl));
  const opened = await openWith(offer.ref, wordOf(offer.ref, offer.model, words), parts);
  return { ...opened, notices: [used, ...opened.notices] };
}

/** A server of this machine is asked what its model can do; nobody else is. */
async function openOne(ref: string, parts: ModelRequestParts): Promise<Opened> {
  const { settings, clock, baseUrl } = parts;
  const { provider } = parseModel(ref, settings.words);
  if (providerNamed(provider)?.place !== "here") return openWith(ref, silent, parts);
  const { localWord } = await import("./local-models.ts");
  return openWith(ref, await localWord(ref, settings, { clock, baseUrl }), parts);
}

const silent: LocalWord = { knowledge: {}, notices: [] };

async function openWith(ref: string, word: LocalWord, parts: ModelRequestParts): Promise<Opened> {
  const { settings, limits, cwd } = parts;
  const { words } = settings;
  const { provider } = parseModel(ref, words);
  const own = modelOverrides(settings.providers)[ref];
  const isSaid = own !== undefined || Object.keys(word.knowledge).length > 0;
  const overrides = isSaid ? { [ref]: { ...word.knowledge, ...own } } : {};
  const facts = modelFacts(ref, { cwd, overrides });
  if (limits.costUsd !== null && facts.price === null) {
    throw new PawlError("price_unknown", words.model.priceUnknown(ref));
  }
  const isDeaf = parts.thinking !== null && facts.thinking === "refused";
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
    overrides,
    notices: [
      ...word.notices,
      ...(facts.known ? [] : [words.model.unknown(ref)]),
      ...(isDeaf ? [words.model.thinkingRefused(ref)] : []),
    ],
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

/** Null when nothing is set and there is no key. @throws PawlError `unknown_model` */
function chooseModel({
  settings,
  before,
  cwd,
}: Pick<ModelRequestParts, "settings" | "before" | "cwd">): string | null {
  const set = settings.modelIsChosen ? settings.model : (before?.model ?? settings.model);
  const ref = set ?? firstWithKey(settings);
  return ref === null ? null : wholeRef(ref, { settings, cwd });
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

/** @throws PawlError `no_model` */
export async function modelOffers(settings: Settings): Promise<readonly Offer[]> {
  const { offeredModels } = await import("./local-models.ts");
  return offeredModels(settings, systemClock());
}

export interface ModelCheck {
  readonly model: string;
  /** The variable or command the key comes from; null when there is none. */
  readonly keyFrom: string | null;
  /** null for a model in a file. */
  readonly url: string | null;
}

/**
 * What a new session would run with; null when nothing is set and there is no key. Reads no key.
 * @throws PawlError `unknown_model`, `no_key`
 */
export function checkModel(
  settings: Settings,
  cwd: string,
  baseUrl: string | null,
): ModelCheck | null {
  const model = chooseModel({ settings, cwd, before: null });
  if (model === null) return null;
  const { provider } = parseModel(model, settings.words);
  if (provider === "scripted") return { model, keyFrom: null, url: null };
  const url = baseUrl ?? providerSettings(settings, provider).baseUrl;
  const keyFrom = keySource(settings, provider);
  if (keyFrom === null && url === null && needsKey(provider)) throw missingKey(settings, provider);
  return { model, keyFrom, url: url ?? providerNamed(provider)?.baseUrl ?? null };
}

/** At its usual address; a gateway at another one may need none. */
const needsKey = (provider: string): boolean => providerNamed(provider)?.key === "needed";
