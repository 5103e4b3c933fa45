export { modelClients, type ModelClientOptions, type ProviderOptions } from "./resolve.ts";
export { knownProviders, providerFacts, type ProviderFacts } from "./providers.ts";
export { modelFacts } from "./model-facts.ts";
export {
  listModels,
  lookUpModel,
  type ModelFacts,
  type ModelOverrides,
} from "./catalog/look-up.ts";
export { cheapestInputUsd, costUsd, type Price, type Rates } from "./catalog/price.ts";
