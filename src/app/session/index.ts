export { openSession } from "../compose.ts";
export { checkModel, knownModels } from "../open-model.ts";
