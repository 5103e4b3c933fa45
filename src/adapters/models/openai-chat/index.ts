export { openAiChatClient, type OpenAiChatOptions } from "./client.ts";
export { openAiChatBody } from "./body.ts";
