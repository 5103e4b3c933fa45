import { execFile } from "node:child_process";

import { providerNamed } from "#adapters/models";
import { PawlError } from "#core";
import type { ProviderSettings, Settings } from "./config/index.ts";

/** The usual names of the variables that hold a provider's key. */
const usualVariables = (provider: string): readonly string[] =>
  providerNamed(provider)?.keyVariables ?? [];

const commandTimeoutMs = 15_000;

const none: ProviderSettings = {
  baseUrl: null,
  apiKeyEnv: null,
  apiKeyCommand: null,
  headers: {},
  models: {},
};

export const providerSettings = (settings: Settings, provider: string): ProviderSettings => ({
  ...none,
  ...settings.providers[provider],
});

/** Where the key of a provider would come from; null when nothing is configured. Reads no secret. */
export function keySource(settings: Settings, provider: string): string | null {
  const { apiKeyEnv, apiKeyCommand } = providerSettings(settings, provider);
  if (apiKeyCommand !== null) return "apiKeyCommand";
  const variables = apiKeyEnv === null ? usualVariables(provider) : [apiKeyEnv];
  return variables.find((variable) => settings.environment[variable]) ?? null;
}

/**
 * The key of a provider: from the command or the variable its settings name, else from the usual variable.
 * null when there is none.
 * @throws PawlError `no_key` when the command gives none
 */
export async function readKey(settings: Settings, provider: string): Promise<string | null> {
  const { apiKeyCommand } = providerSettings(settings, provider);
  if (apiKeyCommand !== null) return keyFromCommand(apiKeyCommand, provider, settings);
  const source = keySource(settings, provider);
  return source === null ? null : (settings.environment[source] ?? null);
}

/** The sentence for a missing key names the variable that would be looked at. */
export function missingKey(settings: Settings, provider: string): PawlError {
  const { apiKeyEnv } = providerSettings(settings, provider);
  const variable = apiKeyEnv ?? usualVariables(provider)[0] ?? "a variable";
  return new PawlError("no_key", settings.words.model.noKey(provider, variable));
}

async function keyFromCommand(
  command: string,
  provider: string,
  { environment, words }: Settings,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(
    "/bin/sh",
    ["-c", command],
    { env: { ...environment }, timeout: commandTimeoutMs, maxBuffer: 64_000 },
    (error, stdout) => {
      const key = stdout.trim();
      if (error === null && key !== "") return resolve(key);
      // What it printed may be half a key: only how it ended is said.
      const why = error === null ? "no output" : `exit ${error.code ?? error.signal ?? "unknown"}`;
      reject(new PawlError("no_key", words.model.keyCommand(provider, why)));
    },
  );
  return promise;
}
