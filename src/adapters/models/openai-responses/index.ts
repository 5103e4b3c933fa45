export { openAiResponsesClient, type OpenAiResponsesOptions } from "./client.ts";
export { openAiResponsesBody } from "./body.ts";
