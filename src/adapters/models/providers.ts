import { chatDialects } from "./openai-chat/dialects.ts";

/** What must be known of a provider before it is used. */
export interface ProviderFacts {
  /** First part of references. */
  readonly name: string;
  /** Where it is when nobody says; null: somebody must. */
  readonly baseUrl: string | null;
  /** The usual variables for its key, the one to name first; none: it has no key. */
  readonly keyVariables: readonly string[];
  readonly key: "needed" | "optional";
}

/** Every provider this version can speak to, the scripted model apart. */
export const knownProviders: readonly ProviderFacts[] = [
  {
    name: "anthropic",
    baseUrl: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY"],
    key: "needed",
  },
  {
    name: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    key: "needed",
  },
  {
    name: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    key: "needed",
  },
  ...chatDialects.map(({ provider: name, baseUrl, keyVariable, key }) => ({
    name,
    baseUrl,
    keyVariables: keyVariable === null ? [] : [keyVariable],
    key,
  })),
];

/** Null for a provider that is not known. */
export const providerFacts = (name: string): ProviderFacts | null =>
  knownProviders.find((provider) => provider.name === name) ?? null;
