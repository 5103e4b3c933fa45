import { PawlError } from "#core";
import type { Clock, ModelClient } from "#runtime";
import { anthropicClient } from "./anthropic/client.ts";
import { openAiChatClient } from "./openai-chat/client.ts";
import { chatDialect, type ChatDialect } from "./openai-chat/dialects.ts";
import { knownProviders } from "./providers.ts";
import { scriptedClient } from "./scripted-client.ts";
import { readScript, scriptPath } from "./scripted/script.ts";

/** How one provider is reached. */
export interface ProviderOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly thinkingBudgetTokens?: number;
}

export interface ModelClientOptions {
  /** By the first part of a reference: `anthropic`. */
  readonly providers: Readonly<Record<string, ProviderOptions | undefined>>;
  /** Where `scripted/FILE` is looked for. */
  readonly cwd: string;
  readonly clock: Clock;
}

/** Of the contract, and not built yet. */
const later = ["openai", "gemini"];

/**
 * Clients by reference, `provider/model`. The same reference gives the same client, so connections and serialised
 * conversations are kept.
 * The returned function throws PawlError `unknown_model`, `provider_unavailable`, `no_api_key`, `no_base_url`, and what
 * `anthropicClient` and `readScript` throw.
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
  if (provider === "anthropic") return anthropic(options);
  const path = scriptPath(ref, options.cwd);
  if (path !== null) return scriptedClient({ ref, turns: readScript(path), clock: options.clock });
  const dialect = chatDialect(provider);
  if (dialect !== null) return openAiChat(dialect, options);
  if (later.includes(provider)) {
    throw new PawlError(
      "provider_unavailable",
      `This version does not speak to ${provider} yet. Use anthropic/MODEL, openai-compatible/MODEL or scripted/FILE.`,
    );
  }
  throw new PawlError(
    "unknown_model",
    `There is no provider "${provider}". Known are ${[...knownProviders.map(({ name }) => name), "scripted"].join(", ")}, and later ${later.join(", ")}.`,
  );
}

function anthropic({ providers, clock }: ModelClientOptions): ModelClient {
  const own = providers["anthropic"] ?? {};
  if (own.apiKey === undefined && own.baseUrl === undefined && own.headers === undefined) {
    throw new PawlError(
      "no_api_key",
      "There is no key for Anthropic. Set ANTHROPIC_API_KEY, or providers.anthropic in the configuration.",
    );
  }
  return anthropicClient({
    apiKey: own.apiKey ?? null,
    clock,
    ...(own.baseUrl === undefined ? {} : { baseUrl: own.baseUrl }),
    ...(own.headers === undefined ? {} : { headers: own.headers }),
    ...(own.thinkingBudgetTokens === undefined
      ? {}
      : { thinkingBudgetTokens: own.thinkingBudgetTokens }),
  });
}

function openAiChat(dialect: ChatDialect, { providers, clock }: ModelClientOptions): ModelClient {
  const { provider, keyVariable } = dialect;
  const own = providers[provider] ?? {};
  const baseUrl = own.baseUrl ?? dialect.baseUrl;
  if (baseUrl === null) {
    throw new PawlError(
      "no_base_url",
      `It is not known where ${provider} is served. Give its address with --base-url or providers.${provider}.baseUrl, as in http://127.0.0.1:8080/v1.`,
    );
  }
  const isSet = [own.apiKey, own.baseUrl, own.headers].some((value) => value !== undefined);
  if (dialect.key === "needed" && !isSet) {
    throw new PawlError(
      "no_api_key",
      `There is no key for ${provider}. Set ${keyVariable ?? "one"}, or providers.${provider} in the configuration.`,
    );
  }
  return openAiChatClient({
    dialect,
    baseUrl,
    apiKey: own.apiKey ?? null,
    clock,
    ...(own.headers === undefined ? {} : { headers: own.headers }),
  });
}
