import {
  listModels,
  lookUpModel,
  type ModelFacts,
  type Provider,
  providers,
} from "#adapters/models";
import type { LocalServer } from "#adapters/models/local";
import type { Clock } from "#runtime";
import type { Settings } from "./config/index.ts";
import { modelOverrides } from "./config/model.ts";
import { localServers, stateOf } from "./local-models.ts";
import { keySource, providerSettings } from "./secret-key.ts";
import { shownUrl } from "./shown-url.ts";

export type ListedModel = ModelFacts & {
  readonly ref: string;
  /** In the memory of a server of this machine; null where nobody says. */
  readonly isLoaded: boolean | null;
};

/** One provider, and whether its models can be used now. */
export interface ProviderListing {
  readonly provider: string;
  readonly usable: boolean;
  /** `key`, `address`, `server`: what it has, or what is missing. */
  readonly by: "key" | "address" | "server";
  /** In a sentence: where the key comes from, or what to do. */
  readonly why: string;
  /** The variable or command its key comes from. */
  readonly keyFrom: string | null;
  readonly baseUrl: string | null;
  /** Of a server of this machine what it offers; of others what the table and the settings know. */
  readonly models: readonly ListedModel[];
}

/** For servers that may not be there, in ms. */
const withinMs = 1_000;

/** All providers in the order of the table, each with its models in a stable order. Keys are not read. */
export async function listProviders(
  settings: Settings,
  { clock, look }: { readonly clock: Clock; readonly look: "everywhere" | "nowhere" },
): Promise<readonly ProviderListing[]> {
  const servers = look === "nowhere" ? [] : await localServers(settings, { clock, withinMs });
  return providers.map((provider) => {
    const server = servers.find((one) => one.provider === provider.provider);
    return provider.place === "here"
      ? localListing(provider, settings, server ?? null)
      : remoteListing(provider, settings);
  });
}

function remoteListing(row: Provider, settings: Settings): ProviderListing {
  const { provider } = row;
  const { words } = settings;
  const { list: say } = words.modelsCommand;
  const own = providerSettings(settings, provider);
  const keyFrom = keySource(settings, provider);
  const baseUrl = own.baseUrl ?? row.baseUrl;
  const lacksKey = keyFrom === null && row.key === "needed" && own.baseUrl === null;
  const shown = baseUrl === null ? null : shownUrl(baseUrl);
  const listing = { provider, keyFrom, baseUrl: shown, models: tableModels(provider, settings) };
  if (lacksKey) {
    const variable = own.apiKeyEnv ?? row.keyVariables[0] ?? "";
    return { ...listing, usable: false, by: "key", why: say.noKey(variable) };
  }
  if (shown === null) {
    return { ...listing, usable: false, by: "address", why: say.noAddress(provider) };
  }
  const key = keyFrom === null ? words.doctor.noKey : words.doctor.keyFrom(keyFrom);
  return { ...listing, usable: true, by: "key", why: `${key}, ${shown}` };
}

function tableModels(provider: string, settings: Settings): readonly ListedModel[] {
  const overrides = modelOverrides(settings.providers);
  const table = listModels(provider).map(({ ref }) => ref);
  const own = Object.keys(overrides).filter((ref) => ref.startsWith(`${provider}/`));
  const refs = [...new Set([...table, ...own])];
  return refs.map((ref) => ({ ref, ...lookUpModel(ref, overrides), isLoaded: null }));
}

function localListing(
  { provider, baseUrl: usual }: Provider,
  settings: Settings,
  server: LocalServer | null,
): ProviderListing {
  const { words } = settings;
  const url = providerSettings(settings, provider).baseUrl ?? usual ?? "";
  const listing = {
    provider,
    by: "server" as const,
    keyFrom: keySource(settings, provider),
    baseUrl: shownUrl(url),
  };
  if (server === null) {
    return { ...listing, usable: false, why: words.modelsCommand.list.notAsked, models: [] };
  }
  const own = modelOverrides(settings.providers);
  const models = server.at === "found" ? server.models : [];
  return {
    ...listing,
    usable: models.length > 0,
    why: stateOf(server, words),
    models: models.map(({ name, knowledge, isLoaded }) => {
      const ref = `${provider}/${name}`;
      const overrides = { [ref]: { ...knowledge, ...own[ref] } };
      return { ref, ...lookUpModel(ref, overrides), isLoaded };
    }),
  };
}
