export { openAiChatClient, type OpenAiChatOptions } from "./client.ts";
export { openAiChatBody } from "./body.ts";
export { chatDialect, type ChatDialect, type ChatQuirks } from "./dialects.ts";
