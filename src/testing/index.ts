export { fakeClock, type FakeClock } from "./fake-clock.ts";
export { crashPointFrom } from "#adapters/system";
export { storeConformance, type StoreUnderTest } from "./store-conformance/index.ts";
export {
  anthropicBody,
  anthropicClient,
  chatDialect,
  openAiChatClient,
  parseScript,
  requestProblems,
  scriptedClient,
  startScriptedServer,
  type AnthropicOptions,
  type ChatDialect,
  type OpenAiChatOptions,
  type Fault,
  type HttpOptions,
  type Patience,
  type Place,
  type RecordedRequest,
  type Script,
  type ScriptedCall,
  type ScriptedClientOptions,
  type ScriptedServer,
  type ScriptedServerOptions,
  type ScriptedTurn,
} from "#adapters/models";
export {
  modelConformance,
  type MakeModel,
  type ModelUnderTest,
} from "./model-conformance/index.ts";
