export { openSession } from "../compose.ts";
export { checkModel } from "../open-model.ts";
