export * from "./ports.ts";
export * from "./api.ts";
export { startSession } from "./session.ts";
export { lookInto, lostFacts } from "./recover.ts";
export { requestReader } from "./agenda.ts";
export { whole } from "./long-text.ts";
