import { PawlError } from "#core";
import type { Clock, ModelClient } from "#runtime";
import { loadedLate } from "./loaded-late.ts";
import { capabilitiesIn, type Capabilities, type Dialect, type Wire } from "./capabilities.ts";
import type { ModelOverrides } from "./catalog/look-up.ts";
import { dialectFor, providers } from "./catalog/providers.ts";
import { readScript, scriptPath } from "./scripted/script.ts";
import { endpoint } from "./shared/endpoint.ts";

/** How one provider is reached. */
export interface ProviderOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ModelClientOptions {
  /** By the first part of a reference: `anthropic`. */
  readonly providers: Readonly<Record<string, ProviderOptions | undefined>>;
  /** Where `scripted/FILE` is looked for. */
  readonly cwd: string;
  readonly clock: Clock;
  /** By reference: what is known better than the table. */
  readonly overrides?: ModelOverrides;
}

/**
 * Clients by reference, `provider/model`. The same reference gives the same client, so connections and serialised
 * conversations are kept. The code of a wire is loaded with its first request.
 * The returned function throws PawlError `unknown_model`, `no_api_key`, `no_base_url`, and what the clients and
 * `readScript` throw.
 */
export function modelClients(options: ModelClientOptions): (ref: string) => ModelClient {
  const known = new Map<string, ModelClient>();
  return (ref) => {
    const found = known.get(ref);
    if (found !== undefined) return found;
    const client = modelClient(ref, options);
    known.set(ref, client);
    return client;
  };
}

function modelClient(ref: string, options: ModelClientOptions): ModelClient {
  const slash = ref.indexOf("/");
  const provider = ref.slice(0, slash);
  const model = ref.slice(slash + 1);
  if (slash <= 0 || model === "") {
    throw new PawlError(
      "unknown_model",
      `"${ref}" names no model. Write PROVIDER/MODEL, as in anthropic/claude-sonnet-4-5 or scripted/FILE.`,
    );
  }
  const path = scriptPath(ref, options.cwd);
  if (path !== null) {
    const how = { ref, turns: readScript(path), clock: options.clock };
    const { tools = how.turns.tools ?? "native", images = "taken" } =
      options.overrides?.[ref] ?? {};
    const load = async (): Promise<ModelClient> =>
      (await import("./scripted-client.ts")).scriptedClient(how);
    return loadedLate(() => adapted(load, { ref, tools, images }));
  }
  const baseUrl = options.providers[provider]?.baseUrl;
  const found = dialectFor(provider, { model, ...(baseUrl === undefined ? {} : { baseUrl }) });
  if (found === null) {
    throw new PawlError(
      "unknown_model",
      `There is no provider "${provider}". Known are ${[...providers.map((one) => one.provider), "scripted"].join(", ")}.`,
    );
  }
  const dialect = { ...found, ...capabilitiesIn(options.overrides?.[ref] ?? {}) };
  const how = reached(dialect, options);
  const load = (): Promise<ModelClient> => clients[dialect.wire](how);
  return loadedLate(() => adapted(load, { ref, ...dialect }));
}

/** The same client for a model that knows no tools, or takes no images. */
async function adapted(
  load: () => Promise<ModelClient>,
  { ref, tools, images }: Pick<Capabilities, "tools" | "images"> & { readonly ref: string },
): Promise<ModelClient> {
  const [wire, text, notes] = await Promise.all([
    load(),
    tools === "text" ? import("./text-protocol/client.ts") : null,
    images === "refused" ? import("./without-images.ts") : null,
  ]);
  const withTools = text === null ? wire : text.textProtocol(wire);
  return notes === null ? withTools : notes.withoutImages(withTools, ref);
}

const clients: Readonly<Record<Wire, (how: Reached) => Promise<ModelClient>>> = {
  anthropic: async (how) =>
    (await import("./anthropic/client.ts")).anthropicClient(withAbility(how)),
  responses: async (how) =>
    (await import("./openai-responses/client.ts")).openAiResponsesClient(withAbility(how)),
  gemini: async (how) => (await import("./gemini/client.ts")).geminiClient(withAbility(how)),
  chat: async (how) => (await import("./openai-chat/client.ts")).openAiChatClient(how),
};

const withAbility = (how: Reached): Reached & Pick<Capabilities, "answerSchema" | "thinking"> => ({
  ...how,
  answerSchema: how.dialect.answerSchema,
  thinking: how.dialect.thinking,
});

type Reached = ProviderOptions & {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly clock: Clock;
  readonly dialect: Dialect;
};

/** @throws PawlError `no_base_url`, `invalid_base_url`, `no_api_key` when nothing at all is set */
function reached(dialect: Dialect, options: ModelClientOptions): Reached {
  const { provider } = dialect;
  const own = options.providers[provider] ?? {};
  const baseUrl = own.baseUrl ?? dialect.baseUrl;
  if (baseUrl === null) {
    const example =
      provider === "azure" ? "https://NAME.openai.azure.com/openai/v1" : "http://127.0.0.1:8080/v1";
    throw new PawlError(
      "no_base_url",
      `It is not known where ${provider} is served. Give its address with --base-url or providers.${provider}.baseUrl, as in ${example}.`,
      { values: { provider, example } },
    );
  }
  const isSet = [own.apiKey, own.baseUrl, own.headers].some((value) => value !== undefined);
  if (dialect.key === "needed" && !isSet) {
    throw new PawlError(
      "no_api_key",
      `There is no key for ${provider}. Set ${dialect.keyVariables[0] ?? "one"}, or providers.${provider} in the configuration.`,
    );
  }
  // Told now, not by the first request.
  endpoint(baseUrl, (path) => path);
  return { ...own, baseUrl, apiKey: own.apiKey ?? null, clock: options.clock, dialect };
}
