import { dialectFor, providers } from "#adapters/models";
import { checkProvider, type Checked } from "#adapters/models/check";
import type { LocalServer } from "#adapters/models/local";
import { isPawlError } from "#core";
import type { Clock } from "#runtime";
import type { Settings } from "./config/index.ts";
import { parseModel } from "./config/model.ts";
import { localServers, stateOf } from "./local-models.ts";
import { keySource, providerSettings, readKey } from "./secret-key.ts";
import { shownUrl } from "./shown-url.ts";

/** One provider as it was found, in a sentence. */
export interface ProviderFinding {
  readonly check: "provider";
  readonly provider: string;
  readonly state: "good" | "note" | "bad";
  readonly detail: string;
}

export interface CheckParts {
  /** `provider/model` of a new session; null when there is none. */
  readonly model: string | null;
  /** From a flag, for that model's provider. */
  readonly baseUrl: string | null;
  readonly clock: Clock;
}

const withinMs = 10_000;

/**
 * Every provider that is set up, and every server of this machine: is the key good, the address right, the certificate
 * trusted. Spends no tokens. In the order of the table.
 */
export async function checkProviders(
  settings: Settings,
  parts: CheckParts,
): Promise<readonly ProviderFinding[]> {
  const chosen = parts.model === null ? null : parseModel(parts.model, settings.words).provider;
  const isSetUp = (provider: string): boolean =>
    provider === chosen ||
    keySource(settings, provider) !== null ||
    providerSettings(settings, provider).baseUrl !== null;
  const remote = providers.filter(({ provider, place }) => place === "remote" && isSetUp(provider));
  const baseUrl = (provider: string): string | null => (provider === chosen ? parts.baseUrl : null);
  const [checked, local] = await Promise.all([
    Promise.all(
      remote.map(({ provider }) =>
        check(provider, settings, { ...parts, baseUrl: baseUrl(provider) }),
      ),
    ),
    checkLocal(settings, { ...parts, isNeeded: isSetUp }),
  ]);
  return [...checked, ...local];
}

async function check(
  provider: string,
  settings: Settings,
  { baseUrl, clock }: CheckParts,
): Promise<ProviderFinding> {
  const { words, environment } = settings;
  const own = providerSettings(settings, provider);
  const dialect = dialectFor(provider);
  const url = baseUrl ?? own.baseUrl ?? dialect?.baseUrl ?? null;
  const { check: say } = words.doctor;
  if (dialect === null || url === null) {
    return { check: "provider", provider, state: "bad", detail: say.noAddress(provider) };
  }
  try {
    const apiKey = await readKey(settings, provider);
    const source = keySource(settings, provider);
    const checked = await checkProvider(dialect, {
      baseUrl: url,
      apiKey,
      headers: own.headers,
      clock,
      withinMs,
      env: environment,
    });
    const key = source === null ? words.doctor.noKey : words.doctor.keyFrom(source);
    const place = `${shownUrl(url)}, ${key}`;
    const what = trouble(checked, { provider, url: shownUrl(url), source }, settings);
    if (what === null)
      return { check: "provider", provider, state: "good", detail: say.letIn(place) };
    return { check: "provider", provider, state: "bad", detail: `${place}: ${what}` };
  } catch (error) {
    if (!isPawlError(error)) throw error;
    return { check: "provider", provider, state: "bad", detail: error.message };
  }
}

interface About {
  readonly provider: string;
  readonly url: string;
  readonly source: string | null;
}

/** What happened, why, and what to do; null when all is well. */
function trouble(checked: Checked, about: About, { words }: Settings): string | null {
  const { check: say } = words.doctor;
  switch (checked.type) {
    case "let_in":
      return null;
    case "silent":
      return say.silent(withinMs / 1000);
    case "redirect":
      return words.model.local.redirect(checked.to);
    case "wrong_address":
      return say.wrongAddress(checked.status, dialectFor(about.provider)?.baseUrl ?? "");
    case "failure": {
      const { failure } = checked;
      if (failure.class === "auth") {
        return about.source === null
          ? say.keyMissing(about.provider, failure.message)
          : say.keyRefused(about.source, failure.message);
      }
      if (failure.class === "tls") return say.certificate(failure.message);
      return failure.class === "network" ? say.notReached(failure.message) : failure.message;
    }
    default:
      return checked satisfies never;
  }
}

/** A server that is not there is bad only for somebody who has set it up. */
async function checkLocal(
  settings: Settings,
  {
    clock,
    model,
    baseUrl,
    isNeeded,
  }: CheckParts & { readonly isNeeded: (provider: string) => boolean },
): Promise<readonly ProviderFinding[]> {
  const servers = await localServers(settings, { clock, withinMs: 2_000 });
  return servers.map((server): ProviderFinding => {
    const { provider } = server;
    const found = stateOf(server, settings.words);
    // An address that a flag gives is another server than the one that was asked.
    const name = model === null || baseUrl !== null ? null : nameAt(provider, model);
    if (server.at === "found" && name !== null && !offers(server, name)) {
      const detail = settings.words.doctor.check.notOffered(found, name, provider);
      return { check: "provider", provider, state: "bad", detail };
    }
    const state = server.at === "found" ? "good" : isNeeded(provider) ? "bad" : "note";
    return { check: "provider", provider, state, detail: found };
  });
}

const nameAt = (provider: string, model: string): string | null =>
  model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : null;

/** Ollama takes a name without its tag; llama.cpp answers with the model it has, whatever it is called. */
function offers(
  { provider, models }: Extract<LocalServer, { readonly at: "found" }>,
  name: string,
): boolean {
  const isNamed = models.some((one) => one.name === name || one.name === `${name}:latest`);
  return isNamed || provider === "llamacpp";
}
