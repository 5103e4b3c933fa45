export { type AnswerCheck, jsonAnswer, maxAnswerRepairs } from "./answer.ts";
export { type Json, type JsonObject, sameJson, wellFormed } from "./json.ts";
export {
  backoffTimer,
  callId,
  type CallId,
  deadlineTimer,
  type EpochMs,
  hash,
  type Hash,
  inputId,
  type InputId,
  jobId,
  type JobId,
  requestId,
  type RequestId,
  sessionId,
  type SessionId,
  type TimerId,
} from "./id.ts";
export {
  addUsage,
  type AssistantBlock,
  type AssistantMessage,
  type BlobRef,
  type Block,
  type Image,
  type LongText,
  type Message,
  noUsage,
  type Opaque,
  type OpaqueBlock,
  plainText,
  type ReplyBlock,
  type Stop,
  type StopReason,
  text,
  type Text,
  type Thinking,
  type ToolResult,
  type ToolUse,
  totalTokens,
  type Usage,
  type UserBlock,
  type UserMessage,
  type WireCall,
} from "./message.ts";
export {
  type Failure,
  type FailureClass,
  longestWaitMs,
  maxAttempts,
  retryDelayMs,
} from "./failure.ts";
export {
  type Budget,
  type Charge,
  defaultLimits,
  isWarningTurn,
  type LimitName,
  type Limits,
  nothingSpent,
  type Spent,
  spentLimit,
} from "./budget.ts";
export { type Because, sentenceOf } from "./because.ts";
export { decide, type Decider, type Decision, grantFor } from "./permission.ts";
export { hiddenFrom } from "./matching.ts";
export type { Grant, Mode, PermissionRequest, Policy } from "./policy.ts";
export { parseRule, type Rule, type RuleSource, type Verdict, writtenRule } from "./rule.ts";
export {
  type Access,
  type Call,
  type CallStatus,
  type EffectReport,
  isRead,
  isToolUse,
  type Job,
  mostAtOnce,
  nextCalls,
  type OpenCall,
  type Placed,
  type Outcome,
  type Recovery,
  type Stamp,
  type ToolEnd,
} from "./call.ts";
export {
  type Agent,
  type AgentModel,
  type Entry,
  type Fact,
  type FactOf,
  type FactType,
  type ProbeVerdict,
  type Purpose,
  type Remedy,
  type Stamped,
  type ThinkingLevel,
  thinkingLevels,
} from "./event.ts";
export {
  type After,
  type Asking,
  type Cut,
  type Denial,
  type Input,
  isRunning,
  type Ladder,
  type Phase,
  type Prompt,
  type RunOutcome,
  type State,
  type Stopped,
} from "./state.ts";
export type { Command, Refusal, RefusalCode } from "./command.ts";
export type { Effect, EffectOf, EffectType, StopWish } from "./effect.ts";
export { type ErrorValues, isPawlError, PawlError } from "./error.ts";
export { type Illegal, isIllegal } from "./illegal.ts";
export { type Judgement, judgeReply } from "./reply.ts";
export { canCompact, cutPoint, mustCompact, summaryRequest, visible } from "./context.ts";
export { modelInUse } from "./model-in-use.ts";
export { leavesOutReasoning, reasoningLeftOut, remedyFor } from "./remedy.ts";
export type { Withheld, Withholding } from "./withhold.ts";
export { evidenceOf, type Trace } from "./trace.ts";
export { admit, isRefusal } from "./admit.ts";
export { emptyState } from "./initial.ts";
export { transition } from "./transition.ts";
export { outstanding } from "./outstanding.ts";
export { isCostUnknown, resultOfRun, type RunResult } from "./result.ts";
export { fold } from "./fold.ts";
export { openCalls } from "./call-facts.ts";
