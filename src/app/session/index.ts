export { checkProviders } from "../check-providers.ts";
export { openSession } from "../compose.ts";
export { checkModel, modelOffers } from "../open-model.ts";
export type { Offer } from "../local-models.ts";
export { listProviders, type ListedModel, type ProviderListing } from "../model-list.ts";
