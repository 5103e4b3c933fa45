export { openSession } from "../compose.ts";
export { checkModel, modelOffers } from "../open-model.ts";
export type { Offer } from "../local-models.ts";
