export { modelClients, type ModelClientOptions, type ProviderOptions } from "./resolve.ts";
export {
  capabilityValues,
  type Capabilities,
  type Dialect,
  type Provider,
} from "./capabilities.ts";
export { dialectFor, providerNamed, providers } from "./catalog/providers.ts";
export { modelFacts } from "./model-facts.ts";
export {
  listModels,
  lookUpModel,
  type ModelFacts,
  type ModelKnowledge,
  type ModelOverrides,
} from "./catalog/look-up.ts";
export { cheapestInputUsd, costUsd, type Price, type Rates } from "./catalog/price.ts";
export { commonImageLimits, type ImageLimits } from "./catalog/image-limits.ts";
