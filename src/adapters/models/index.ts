export { modelClients, type ModelClientOptions, type ProviderOptions } from "./resolve.ts";
export { knownProviders, providerFacts, type ProviderFacts } from "./providers.ts";
export { anthropicClient, type AnthropicOptions } from "./anthropic/client.ts";
export { anthropicBody } from "./anthropic/body.ts";
export { openAiChatClient, type OpenAiChatOptions } from "./openai-chat/client.ts";
export { openAiChatBody } from "./openai-chat/body.ts";
export { chatDialect, type ChatDialect } from "./openai-chat/dialects.ts";
export { geminiClient, type GeminiOptions } from "./gemini/client.ts";
export { geminiBody } from "./gemini/body.ts";
export { openAiResponsesClient, type OpenAiResponsesOptions } from "./openai-responses/client.ts";
export { openAiResponsesBody } from "./openai-responses/body.ts";
export type { HttpOptions } from "./shared/http-client.ts";
export { scriptedClient, type ScriptedClientOptions } from "./scripted-client.ts";
export { modelFacts } from "./model-facts.ts";
export {
  listModels,
  lookUpModel,
  type ModelFacts,
  type ModelOverrides,
} from "./catalog/look-up.ts";
export { cheapestInputUsd, costUsd, type Price, type Rates } from "./catalog/price.ts";
export type { Patience } from "./shared/post.ts";
export type { Fault, Place } from "./scripted/fault.ts";
export {
  parseScript,
  readScript,
  type Script,
  type ScriptedCall,
  type ScriptedTurn,
} from "./scripted/script.ts";
export { chatRequestProblems } from "./scripted/chat-check.ts";
export { geminiRequestProblems } from "./scripted/gemini-check.ts";
export { requestProblems } from "./scripted/request-check.ts";
export { responsesRequestProblems } from "./scripted/responses-check.ts";
export {
  startScriptedServer,
  type RecordedRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
} from "./scripted/server.ts";
