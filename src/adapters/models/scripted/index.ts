export type { Fault, Place } from "./fault.ts";
export {
  parseScript,
  readScript,
  type Script,
  type ScriptedCall,
  type ScriptedTurn,
} from "./script.ts";
export { chatRequestProblems } from "./chat-check.ts";
export { geminiRequestProblems } from "./gemini-check.ts";
export { requestProblems } from "./request-check.ts";
export { responsesRequestProblems } from "./responses-check.ts";
export {
  startScriptedServer,
  type RecordedRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
} from "./server.ts";
export { scriptedClient, type ScriptedClientOptions } from "../scripted-client.ts";
