// The whole loop on one page: facts in, effects out. Run it: npm exec -- node examples/loop.ts
import {
  admit,
  callId,
  type Effect,
  emptyState,
  type Fact,
  hash,
  isIllegal,
  isRefusal,
  noUsage,
  outstanding,
  resultOfRun,
  sessionId,
  type State,
  text,
  transition,
} from "pawl/core";

const agent = {
  model: "example/model",
  mode: "ask",
  limits: { turns: 5, costUsd: null, tokens: null, toolCalls: null, timeMs: null },
  window: null,
  maxOutputTokens: 1000,
  thinking: null,
  cheapestInputUsd: null,
  fallback: null,
  tools: hash("none"),
  sections: {},
} as const;
const stamp = { access: "read", resources: [], recovery: "rerun", timeoutMs: 1000 } as const;

// The journal. In Pawl each line is synced to disk before anyone sees the state it leads to.
const journal: Fact[] = [];
let state: State = emptyState;

function happened(...facts: readonly Fact[]): void {
  for (const fact of facts) {
    const next = transition(state, { at: Date.now(), fact });
    if (isIllegal(next)) throw new Error(next.illegal);
    journal.push(fact);
    state = next;
  }
}

/** The world: a model that asks for the time once, then answers; a clock; a gate that says yes. */
function perform(effect: Effect): void {
  if (effect.type === "call_model") {
    const { request, purpose, attempt, tools } = effect;
    const call = callId(request, 0);
    const answered = state.messages.some((message) => message.role === "assistant");
    const use = {
      type: "tool_use",
      call,
      wireId: null,
      tool: "time",
      input: {},
      problem: null,
    } as const;
    const whole = { ...use, inputText: null, complete: true };
    const stop = answered
      ? ({ reason: "end_turn", raw: null } as const)
      : ({ reason: "tool_use", raw: null } as const);
    const blocks = answered ? [text("Now you know.")] : [whole];
    const reply = {
      request,
      model: agent.model,
      blocks,
      stop,
      usage: noUsage,
      costUsd: 0,
      warnings: [],
    };
    happened({ type: "request.started", request, purpose, attempt, model: agent.model, tools });
    happened({ type: "response.received", ...reply, stamps: answered ? {} : { [call]: stamp } });
  } else if (effect.type === "decide") {
    const decision = {
      verdict: "allow",
      by: "rule",
      rule: "example",
      reason: "reading a clock",
    } as const;
    happened({
      type: "permission.decided",
      call: effect.call.id,
      ...decision,
      because: null,
      edited: null,
      grant: null,
    });
  } else if (effect.type === "run_tool") {
    const run = { call: effect.call.id, attempt: effect.call.attempt + 1 };
    const end = {
      outcome: "ok",
      content: [text(new Date().toISOString())],
      effects: [],
      docs: {},
    } as const;
    happened({ type: "tool.started", ...run, recovery: "rerun", intent: null });
    happened({ type: "tool.finished", ...run, ...end, durationMs: 0 });
  }
}

const born = {
  rules: 1,
  sessionId: sessionId("example"),
  parent: null,
  cwd: ".",
  program: "example",
  gitHead: null,
};
happened({ type: "session.started", ...born, agent });
const admitted = admit(state, { type: "prompt", blocks: [text("What time is it?")] });
if (!isRefusal(admitted)) happened(...admitted);
for (let owed = outstanding(state); owed[0] !== undefined; owed = outstanding(state))
  perform(owed[0]);
console.log(journal.map((fact) => fact.type).join("\n"), "\n\n", resultOfRun(state).text);
