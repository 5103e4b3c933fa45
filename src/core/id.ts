/** Ids are strings with a brand, so that one kind is never passed for another. */
declare const brand: unique symbol;
type Branded<Kind extends string> = string & { readonly [brand]: Kind };

export type SessionId = Branded<"session">;
export type RequestId = Branded<"request">;
export type CallId = Branded<"call">;
export type InputId = Branded<"input">;
export type TimerId = Branded<"timer">;
export type JobId = Branded<"job">;
/** Lower-case hex SHA-256 of some bytes. */
export type Hash = Branded<"hash">;
/** Milliseconds since 1970 UTC. */
export type EpochMs = number;

// The only places where a plain string becomes an id.
export const sessionId = (text: string): SessionId => text as SessionId;
export const hash = (text: string): Hash => text as Hash;
export const jobId = (text: string): JobId => text as JobId;

/** Ids of effects are functions of the state: the n-th request, the n-th call of its reply. */
export const requestId = (ordinal: number): RequestId => `r${ordinal}` as RequestId;
export const callId = (request: RequestId, index: number): CallId =>
  `${request}-${index}` as CallId;
export const inputId = (ordinal: number): InputId => `i${ordinal}` as InputId;
export const backoffTimer = (request: RequestId): TimerId => `backoff-${request}` as TimerId;
export const deadlineTimer = (promptSeq: number): TimerId => `deadline-${promptSeq}` as TimerId;
