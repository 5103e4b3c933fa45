export { checkProviders } from "../check-providers.ts";
export { listProviders, type ListedModel, type ProviderListing } from "../model-list.ts";
