export { geminiClient, type GeminiOptions } from "./client.ts";
export { geminiBody } from "./body.ts";
