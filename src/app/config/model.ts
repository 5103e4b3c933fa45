import { type ModelOverrides, providers } from "#adapters/models";
import { PawlError } from "#core";
import type { Words } from "#i18n";
import { closestName } from "./closest-name.ts";
import type { Settings } from "./settings.ts";

const present: readonly string[] = [...providers.map(({ provider }) => provider), "scripted"];

/** What the user says of models, by reference. */
export function modelOverrides(settings: Settings["providers"]): ModelOverrides {
  const own = Object.entries(settings).flatMap(([provider, { models }]) =>
    Object.entries(models).map(([name, facts]) => [`${provider}/${name}`, facts] as const),
  );
  return Object.fromEntries(own);
}

/** Takes `provider/model` apart at the first slash. @throws PawlError `unknown_model` */
export function parseModel(
  ref: string,
  words: Words,
): { readonly provider: string; readonly name: string } {
  const slash = ref.indexOf("/");
  const provider = slash < 0 ? ref : ref.slice(0, slash);
  const name = slash < 0 ? "" : ref.slice(slash + 1);
  if (slash < 0 || name === "") throw new PawlError("unknown_model", words.model.form(ref));
  if (!present.includes(provider)) {
    throw new PawlError(
      "unknown_model",
      words.model.provider(provider, closestName(provider, present)),
    );
  }
  return { provider, name };
}

/** What is used when only a key is configured, in this order. */
export const defaultModels: readonly { readonly provider: string; readonly name: string }[] = [
  { provider: "anthropic", name: "claude-sonnet-5-5" },
  { provider: "openai", name: "gpt-6.1-sol" },
  { provider: "gemini", name: "gemini-3.1-pro-preview" },
  { provider: "deepseek", name: "deepseek-v4-pro" },
  { provider: "moonshot", name: "kimi-k3" },
  { provider: "zai", name: "glm-5.3" },
  { provider: "qwen", name: "qwen3-coder-plus" },
  { provider: "xai", name: "grok-4.6" },
  { provider: "mistral", name: "devstral-2512" },
];
