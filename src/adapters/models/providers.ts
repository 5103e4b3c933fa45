import { chatDialects } from "./openai-chat/dialects.ts";

/** What must be known of a provider before it is used. */
export interface ProviderFacts {
  /** First part of references. */
  readonly name: string;
  /** Where it is when nobody says; null: somebody must. */
  readonly baseUrl: string | null;
  /** The usual variable for its key; null: it has none. */
  readonly keyVariable: string | null;
  readonly key: "needed" | "optional";
}

/** Every provider this version can speak to, the scripted model apart. */
export const knownProviders: readonly ProviderFacts[] = [
  {
    name: "anthropic",
    baseUrl: "https://api.anthropic.com",
    keyVariable: "ANTHROPIC_API_KEY",
    key: "needed",
  },
  ...chatDialects.map(({ provider: name, baseUrl, keyVariable, key }) => ({
    name,
    baseUrl,
    keyVariable,
    key,
  })),
];

/** Null for a provider that is not known. */
export const providerFacts = (name: string): ProviderFacts | null =>
  knownProviders.find((provider) => provider.name === name) ?? null;
