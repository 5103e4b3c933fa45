import {
  type LocalModel,
  type LocalPlace,
  type LocalServer,
  type LocalTrouble,
  lookForServers,
} from "#adapters/models/local";
import { type ModelKnowledge, providers } from "#adapters/models";
import { PawlError } from "#core";
import type { Words } from "#i18n";
import type { Clock } from "#runtime";
import type { Settings } from "./config/index.ts";
import { providerSettings, readKey } from "./secret-key.ts";
import { shownUrl } from "./shown-url.ts";

/** Nobody waits longer for servers that may not be there, in ms. */
const startMs = 300;
/** For a server that was named, in ms: it may be busy with a reply. */
const namedMs = 1_000;

/** Tokens. Instructions and tools take about 4,000 of them; a few files should find room beside a reply. */
const smallWindow = 16_000;

/** A model of a server of this machine, ready to be chosen. */
export interface Offer {
  readonly ref: string;
  readonly baseUrl: string;
  readonly model: LocalModel;
}

/** What the servers say that people run themselves, in the order of the table. */
export async function localServers(
  settings: Settings,
  { clock, withinMs }: { readonly clock: Clock; readonly withinMs: number },
): Promise<readonly LocalServer[]> {
  const here = providers.filter(({ place }) => place === "here");
  const places = await Promise.all(
    here.map(({ provider, baseUrl }) => placeOf(settings, provider, baseUrl ?? "")),
  );
  return lookForServers(places, { clock, withinMs, env: settings.environment });
}

async function placeOf(settings: Settings, provider: string, usual: string): Promise<LocalPlace> {
  const { baseUrl, headers } = providerSettings(settings, provider);
  // A command that gives no key is told by the session or the check of its provider, not while looking around.
  const apiKey = await readKey(settings, provider).catch(() => null);
  return { provider, baseUrl: baseUrl ?? usual, headers, apiKey };
}

/**
 * Models of servers on this machine, for when nothing else is set: the best of each server first.
 * @throws PawlError `no_model` when there is none, with what can be done
 */
export async function offeredModels(settings: Settings, clock: Clock): Promise<readonly Offer[]> {
  const servers = await localServers(settings, { clock, withinMs: startMs });
  const offers = servers.flatMap((server) =>
    server.at === "found" ? server.models.map((model) => offerOf(server, model)) : [],
  );
  if (offers.length > 0) return offers;
  const { words } = settings;
  const said = servers
    .filter(({ at }) => at !== "absent")
    .map((server) => `\n! ${server.provider}: ${stateOf(server, words)}`);
  throw new PawlError("no_model", `${words.model.none}${said.join("")}`);
}

const offerOf = ({ provider, baseUrl }: LocalServer, model: LocalModel): Offer => ({
  ref: `${provider}/${model.name}`,
  baseUrl,
  model,
});

/** In a sentence: what is at the place of a server. */
export function stateOf(server: LocalServer, words: Words): string {
  const { local } = words.model;
  const place = shownUrl(server.baseUrl);
  switch (server.at) {
    case "found":
      return local.has(place, server.models.length);
    case "absent":
      return local.absent(place);
    case "trouble":
      return `${place} ${troubleText(server, server.trouble, words)}`;
    default:
      return server satisfies never;
  }
}

function troubleText({ provider }: LocalServer, trouble: LocalTrouble, { model }: Words): string {
  const { local } = model;
  switch (trouble.type) {
    case "no_json":
      return trouble.isHtml ? local.html : local.noJson;
    case "redirect":
      return local.redirect(trouble.to);
    case "locked":
      return local.locked(trouble.status, provider);
    case "status":
      return local.status(trouble.status);
    case "failure":
      return trouble.message;
    case "silent":
    case "too_large":
    case "no_list":
      return local[trouble.type];
    default:
      return trouble satisfies never;
  }
}

/** What a server of this machine says of the model that was chosen. */
export interface LocalWord {
  readonly knowledge: ModelKnowledge;
  readonly notices: readonly string[];
}

/** Asked when a session opens. A server that says nothing is no trouble yet: the first request will tell. */
export async function localWord(
  ref: string,
  settings: Settings,
  { clock, baseUrl }: { readonly clock: Clock; readonly baseUrl: string | null },
): Promise<LocalWord> {
  const slash = ref.indexOf("/");
  const [provider, name] = [ref.slice(0, slash), ref.slice(slash + 1)];
  const row = providers.find((one) => one.provider === provider);
  if (row?.place !== "here") return { knowledge: {}, notices: [] };
  const place = await placeOf(settings, provider, row.baseUrl ?? "");
  const [server] = await lookForServers([{ ...place, baseUrl: baseUrl ?? place.baseUrl }], {
    clock,
    withinMs: namedMs,
    only: name,
    env: settings.environment,
  });
  const model = server?.at === "found" ? modelNamed(server.models, name) : undefined;
  return model === undefined ? { knowledge: {}, notices: [] } : wordOf(ref, model, settings.words);
}

/** A server of one model answers with it whatever it is called. */
const modelNamed = (models: readonly LocalModel[], name: string): LocalModel | undefined =>
  models.find((model) => model.name === name) ?? (models.length === 1 ? models[0] : undefined);

export function wordOf(
  ref: string,
  { knowledge, windowMayBeLess }: LocalModel,
  words: Words,
): LocalWord {
  const { local } = words.model;
  const window = knowledge.window ?? null;
  const kind = ref.startsWith("ollama/") ? "ollama" : "other";
  if (window === null) return { knowledge, notices: [] };
  if (windowMayBeLess) {
    return { knowledge, notices: [local.windowMayBeLess(ref, window, kind)] };
  }
  const isSmall = window < smallWindow;
  return { knowledge, notices: isSmall ? [local.windowIsSmall(ref, window, kind)] : [] };
}
