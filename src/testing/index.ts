export { fakeClock, type FakeClock } from "./fake-clock.ts";
export { crashPointFrom } from "#adapters/system";
export { storeConformance, type StoreUnderTest } from "./store-conformance/index.ts";
export {
  anthropicBody,
  anthropicClient,
  type AnthropicOptions,
  type HttpOptions,
  type Patience,
} from "#adapters/models/anthropic";
export {
  openAiChatBody,
  openAiChatClient,
  type OpenAiChatOptions,
} from "#adapters/models/openai-chat";
export { dialectFor, type Capabilities, type Dialect } from "#adapters/models";
export {
  openAiResponsesBody,
  openAiResponsesClient,
  type OpenAiResponsesOptions,
} from "#adapters/models/openai-responses";
export { geminiBody, geminiClient, type GeminiOptions } from "#adapters/models/gemini";
export {
  chatRequestProblems,
  geminiRequestProblems,
  parseScript,
  requestProblems,
  responsesRequestProblems,
  scriptedClient,
  startScriptedServer,
  type Fault,
  type Place,
  type RecordedRequest,
  type Script,
  type ScriptedCall,
  type ScriptedClientOptions,
  type ScriptedServer,
  type ScriptedServerOptions,
  type ScriptedTurn,
} from "#adapters/models/scripted";
export { textProtocol } from "#adapters/models/text-protocol";
export {
  modelConformance,
  type Inability,
  type MakeModel,
  type ModelUnderTest,
} from "./model-conformance/index.ts";
