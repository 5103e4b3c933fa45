export type {
  AnyTool,
  CheckAnswer,
  Clock,
  CrashPoint,
  Damage,
  Entropy,
  Journal,
  ModelChunk,
  ModelClient,
  ModelRequest,
  Need,
  Probe,
  Reply,
  Section,
  SessionInfo,
  Spool,
  Store,
  TakeImage,
  TakenImage,
  Tool,
  ToolContext,
  ToolEnv,
  ToolSpec,
} from "./ports.ts";
export type { AgentParts, FeedItem, Found, Session, SessionParts, Signal } from "./api.ts";
export { startSession } from "./session.ts";
export { lookInto, lostFacts } from "./recover.ts";
export { requestReader } from "./agenda.ts";
export { wholeOrNotes } from "./long-text.ts";
