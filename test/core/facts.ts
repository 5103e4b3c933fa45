// Facts with sensible defaults, so that a test names only what it is about. 1 s passes with every fact.
import assert from "node:assert/strict";

import {
  callId,
  emptyState,
  hash,
  inputId,
  isIllegal,
  noUsage,
  requestId,
  sessionId,
  text,
  transition,
  type Agent,
  type AssistantBlock,
  type CallId,
  type Fact,
  type FactOf,
  type Failure,
  type FailureClass,
  type JsonObject,
  type Message,
  type Limits,
  type ReplyBlock,
  type Stamp,
  type State,
  type StopReason,
  type WireCall,
} from "#core";

export const agent: Agent = {
  model: "anthropic/test",
  mode: "ask",
  limits: { turns: 50, costUsd: null, tokens: null, toolCalls: null, timeMs: null },
  window: null,
  maxOutputTokens: 1000,
  cheapestInputUsd: 0,
  fallback: null,
  thinking: null,
  tools: hash("tools"),
  sections: { role: hash("role") },
};

/** State after these facts; fails when one of them is refused. */
export function after(state: State, ...facts: readonly Fact[]): State {
  return facts.reduce<State>((before, fact) => {
    const next = transition(before, { at: before.at + 1000, fact });
    assert.ok(!isIllegal(next), `${fact.type} was refused: ${JSON.stringify(next)}`);
    return next;
  }, state);
}

export const told = (...facts: readonly Fact[]): State => after(emptyState, ...facts);

/** Why the fact is refused; null when it is not. */
export function refusal(state: State, fact: Fact): string | null {
  const next = transition(state, { at: state.at + 1000, fact });
  return isIllegal(next) ? next.illegal : null;
}

export const sessionStarted = (changes: Partial<Agent> = {}): FactOf<"session.started"> => ({
  type: "session.started",
  rules: 1,
  sessionId: sessionId("s1"),
  parent: null,
  cwd: "/repo",
  agent: { ...agent, ...changes },
  program: "pawl/test",
  gitHead: null,
});

export const withLimits = (limits: Partial<Limits>): FactOf<"session.started"> =>
  sessionStarted({ limits: { ...agent.limits, ...limits } });

export const resumed: FactOf<"session.resumed"> = {
  type: "session.resumed",
  program: "pawl/test",
  cwd: "/repo",
  gitHead: null,
};

export const forkedTo = (seq: number): FactOf<"session.forked"> => ({
  type: "session.forked",
  sessionId: sessionId("s2"),
  from: { sessionId: sessionId("s1"), seq },
  cwd: "/repo",
});

/** The same state behind a longer conversation, so that there is something to cut. */
export const withHistory = (state: State): State => {
  const said = (ordinal: number): Message => ({
    role: "user",
    blocks: [text(`said before: ${ordinal}`)],
    seq: 1,
  });
  return { ...state, messages: [1, 2, 3, 4].map(said).concat(state.messages) };
};

export const prompted = (ordinal: number, words: string = "Fix it"): FactOf<"input.received"> => ({
  type: "input.received",
  input: inputId(ordinal),
  kind: "prompt",
  blocks: [text(words)],
});

export const inputOf = (
  ordinal: number,
  kind: "continue" | "compact",
): FactOf<"input.received"> => ({
  type: "input.received",
  input: inputId(ordinal),
  kind,
  blocks: [],
});

export const interrupt = (how: "now" | "graceful"): FactOf<"interrupt.requested"> => ({
  type: "interrupt.requested",
  now: how === "now",
});

export const asked = (ordinal: number): FactOf<"request.started"> => ({
  type: "request.started",
  request: requestId(ordinal),
  purpose: "turn",
  attempt: 1,
  model: agent.model,
  tools: true,
});

/** What tests' tools say of their calls; an unknown tool is invalid. */
const stamps: Readonly<Record<string, Stamp>> = {
  read: { access: "read", resources: ["/repo/a.ts"], recovery: "rerun", timeoutMs: 120_000 },
  grep: { access: "read", resources: ["/repo"], recovery: "rerun", timeoutMs: 120_000 },
  write: { access: "write", resources: ["/repo/a.ts"], recovery: "probe", timeoutMs: 120_000 },
  bash: { access: "exec", resources: ["npm test"], recovery: "probe", timeoutMs: 300_000 },
  fetch: {
    access: "network",
    resources: ["https://x.test/"],
    recovery: "never",
    timeoutMs: 120_000,
  },
  agent: { access: "exec", resources: ["child"], recovery: "rerun", timeoutMs: 300_000 },
};

export const stampOf = (tool: string): Stamp =>
  stamps[tool] ?? { invalid: `There is no tool "${tool}".` };

export const call = (
  tool: string,
  input: JsonObject = {},
  changes: Partial<WireCall> = {},
): WireCall => ({
  type: "tool_use",
  wireId: null,
  tool,
  input,
  problem: null,
  inputText: null,
  complete: true,
  ...changes,
});

/** Names the calls of a reply by their places, as the driver does. */
export function named(ordinal: number, blocks: readonly ReplyBlock[]): readonly AssistantBlock[] {
  let index = 0;
  return blocks.map((block) => {
    if (block.type !== "tool_use") return block;
    const use = { ...block, call: callId(requestId(ordinal), index) };
    index += 1;
    return use;
  });
}

export function replied(
  ordinal: number,
  blocks: readonly ReplyBlock[],
  how: Partial<FactOf<"response.received">> & { readonly reason?: StopReason } = {},
): FactOf<"response.received"> {
  const uses = named(ordinal, blocks);
  const { reason = "end_turn", ...changes } = how;
  const ownStamps: Record<CallId, Stamp> = {};
  for (const use of uses) if (use.type === "tool_use") ownStamps[use.call] = stampOf(use.tool);
  return {
    type: "response.received",
    request: requestId(ordinal),
    model: agent.model,
    blocks: uses,
    stop: { reason, raw: reason },
    usage: { ...noUsage, input: 100, output: 10 },
    costUsd: 0.01,
    stamps: ownStamps,
    warnings: [],
    ...changes,
  };
}

export const failure = (kind: FailureClass, retryAfterMs: number | null = null): Failure => ({
  class: kind,
  message: `it failed: ${kind}`,
  status: null,
  retryAfterMs,
});

export const failed = (
  ordinal: number,
  kind: FailureClass,
  changes: Partial<FactOf<"request.failed">> = {},
): FactOf<"request.failed"> => ({
  type: "request.failed",
  request: requestId(ordinal),
  failure: failure(kind),
  partial: "",
  usage: null,
  costUsd: null,
  jitter: 0,
  remedy: null,
  ...changes,
});

export const requestLost = (ordinal: number, partial: string = ""): FactOf<"request.lost"> => ({
  type: "request.lost",
  request: requestId(ordinal),
  partial,
});

export const nth = (ordinal: number, index: number): CallId => callId(requestId(ordinal), index);

export const requestedEarly = (
  ordinal: number,
  index: number,
  use: { readonly tool: string; readonly input?: JsonObject },
): FactOf<"tool.requested"> => ({
  type: "tool.requested",
  request: requestId(ordinal),
  call: nth(ordinal, index),
  tool: use.tool,
  input: use.input ?? {},
  stamp: stampOf(use.tool),
});

export const questioned = (
  id: CallId,
  rule: string = "built-in:ask",
): FactOf<"permission.asked"> => ({
  type: "permission.asked",
  call: id,
  rule,
  reason: "it needs permission",
  because: null,
});

export const decided = (
  id: CallId,
  verdict: "allow" | "deny" = "allow",
  changes: Partial<FactOf<"permission.decided">> = {},
): FactOf<"permission.decided"> => ({
  type: "permission.decided",
  call: id,
  verdict,
  by: "rule",
  rule: "built-in:read",
  reason: "because",
  because: null,
  edited: null,
  grant: null,
  ...changes,
});

export const toolStarted = (
  id: CallId,
  changes: Partial<FactOf<"tool.started">> = {},
): FactOf<"tool.started"> => ({
  type: "tool.started",
  call: id,
  attempt: 1,
  recovery: "probe",
  intent: { before: "x" },
  ...changes,
});

export const toolFinished = (
  id: CallId,
  changes: Partial<FactOf<"tool.finished">> = {},
): FactOf<"tool.finished"> => ({
  type: "tool.finished",
  call: id,
  attempt: 1,
  outcome: "ok",
  content: [text(`result of ${id}`)],
  effects: [],
  docs: {},
  durationMs: 5,
  ...changes,
});

export const toolLost = (id: CallId, attempt: number = 1): FactOf<"tool.lost"> => ({
  type: "tool.lost",
  call: id,
  attempt,
});

export const probed = (
  id: CallId,
  verdict: FactOf<"tool.probed">["verdict"],
  end: FactOf<"tool.probed">["end"] = null,
): FactOf<"tool.probed"> => ({
  type: "tool.probed",
  call: id,
  verdict,
  evidence: "I looked",
  traces: [],
  end,
});

/** The facts of one call from its judgement to its end. */
export const ran = (
  id: CallId,
  changes: Partial<FactOf<"tool.finished">> = {},
): readonly Fact[] => [decided(id), toolStarted(id), toolFinished(id, changes)];
