// What effects come to, at random: replies of every form, failures of every class, all ends of calls.
import {
  admit,
  callId,
  cutPoint,
  hash,
  isRefusal,
  jobId,
  modelInUse,
  remedyFor,
  type AssistantBlock,
  type Call,
  type CallId,
  type Effect,
  type EffectOf,
  type Fact,
  type Failure,
  type FailureClass,
  type Json,
  type ReplyBlock,
  type Stamp,
  type State,
  type StopReason,
  type ToolEnd,
  type WireCall,
} from "#core";

import type { Draws } from "./draws.ts";
import { call, failure, named, probed, stampOf, toolFinished, toolStarted } from "./facts.ts";

export const words: readonly string[] = [
  "",
  "  \n",
  "done",
  "你好，世界 👩‍👩‍👧",
  "half a pair \ud83d",
  "line\u2028separator",
  "__proto__",
];

/** A field of a later version: it must live through everything (law L7). */
export const future: { readonly futureField: Json } = { futureField: { kept: ["as", "it", "is"] } };

/** The facts that begin or end one effect. Empty when nothing comes of it. */
export function endOf(state: State, effect: Effect, choose: Draws): readonly Fact[] {
  switch (effect.type) {
    case "call_model":
      return modelEnds(state, effect, choose);
    case "decide":
      return decides(effect, choose);
    case "ask":
      return answers(state, effect, choose);
    case "run_tool":
      return effect.begun ? toolEnds(effect.call, choose) : [begins(effect.call)];
    case "probe":
      return [probeEnds(effect.call, choose)];
    case "wait":
      return [{ type: "timer.fired", timer: effect.timer }];
    case "cut_context":
      return [cuts(state)];
    case "watch_job":
      return [{ type: "job.ended", job: effect.job, outcome: "exit 0" }];
    default:
      return effect satisfies never;
  }
}

function modelEnds(state: State, effect: EffectOf<"call_model">, choose: Draws): readonly Fact[] {
  const { request, purpose, attempt, tools } = effect;
  if (!effect.begun) {
    return [
      {
        type: "request.started",
        request,
        purpose,
        attempt,
        model: modelInUse(state).model,
        tools,
      },
    ];
  }
  const early = state.phase.at === "thinking" ? state.phase.early : [];
  const mayStartEarly = purpose === "turn" && tools && effect.stop === "no" && early.length < 3;
  if (mayStartEarly && choose.chance(0.3)) {
    const { tool, input } = call(choose.pick(["read", "grep"]), { n: choose.below(3) });
    const id = callId(request, early.length);
    return [{ type: "tool.requested", request, call: id, tool, input, stamp: stampOf(tool) }];
  }
  if (effect.stop === "now" ? choose.chance(0.7) : choose.chance(0.14)) {
    return [failing(state, effect, choose)];
  }
  return [replying(state, effect, choose)];
}

const failureClasses: readonly FailureClass[] = [
  "auth",
  "bad_tool_call",
  "broken_history",
  "invalid_request",
  "content_filter",
  "context_overflow",
  "rate_limit",
  "overloaded",
  "server",
  "network",
  "stall",
  "truncated",
];

function failing(state: State, effect: EffectOf<"call_model">, choose: Draws): Fact {
  const kind = effect.stop === "now" ? "aborted" : choose.pick(failureClasses);
  const billed = choose.chance(0.3);
  const jitter = choose.below(100) / 100;
  const why: Failure = {
    ...failure(kind, choose.pick([null, null, 1000, 3_600_000])),
    ...(kind === "invalid_request" && choose.chance(0.5) ? { about: "images" } : {}),
  };
  return {
    type: "request.failed",
    request: effect.request,
    failure: why,
    partial: choose.pick(words),
    usage: billed ? usage(choose) : null,
    costUsd: billed ? choose.pick([null, 0.02]) : null,
    jitter,
    remedy: remedyFor(state, { failure: why, jitter }),
  };
}

function replying(state: State, effect: EffectOf<"call_model">, choose: Draws): Fact {
  const early = state.phase.at === "thinking" ? state.phase.early : [];
  const uses = [
    ...early.map((known) => (choose.chance(0.85) ? again(known) : randomCall(choose))),
    ...Array.from(
      {
        length: choose.weighted([
          [3, 0],
          [3, 1],
          [2, 2],
          [2, 3],
          [1, 5],
        ]),
      },
      () => randomCall(choose),
    ),
  ];
  const texts = choose.chance(0.6) ? [{ type: "text", text: choose.pick(words), ...future }] : [];
  const blocks = named(Number(effect.request.slice(1)), [
    ...(choose.chance(0.2) ? [thinking] : []),
    ...(texts as ReplyBlock[]),
    ...uses,
    ...(choose.chance(0.1) ? [opaque] : []),
  ]);
  const reason = stopReason(uses.length, choose);
  return {
    type: "response.received",
    request: effect.request,
    model: modelInUse(state).model,
    blocks,
    stop: { reason, raw: choose.pick([reason, null, "new_value"]) },
    usage: usage(choose),
    costUsd: choose.chance(0.05) ? null : choose.below(100) / 1000,
    stamps: stampsOf(blocks, choose),
    ...(uses.length === 0 && effect.purpose === "turn" && state.prompt.answerSchema !== null
      ? { answer: { problem: choose.chance(0.6) ? "/a: it is missing." : null } }
      : {}),
    warnings: choose.chance(0.1) ? ["odd"] : [],
  };
}

const usage = (choose: Draws): Extract<Fact, { type: "response.received" }>["usage"] => ({
  input: choose.below(4000),
  output: choose.below(800),
  cacheRead: choose.below(3000),
  cacheWrite: choose.below(100),
});

const thinking: ReplyBlock = {
  type: "thinking",
  text: "hm",
  opaque: { provider: "anthropic", data: { signature: "s" } },
};
const opaque: ReplyBlock = {
  type: "opaque",
  provider: "anthropic",
  data: { type: "redacted_thinking", data: "aGk=" },
};

const again = (known: Call): WireCall => call(known.tool, known.input);

const tools = ["read", "grep", "write", "bash", "fetch", "agent", "unheard_of"] as const;

function randomCall(choose: Draws): WireCall {
  return {
    ...call(choose.pick(tools), { n: choose.below(3), path: choose.pick(words) }),
    complete: choose.chance(0.92),
    problem: choose.chance(0.06) ? "not valid JSON" : null,
    wireId: choose.pick([null, "same"]),
    ...future,
  };
}

function stopReason(calls: number, choose: Draws): StopReason {
  return choose.weighted<StopReason>([
    [calls > 0 ? 40 : 4, "tool_use"],
    [calls > 0 ? 8 : 30, "end_turn"],
    [2, "stop_sequence"],
    [7, "max_tokens"],
    [6, "pause_turn"],
    [2, "refusal"],
    [1, "content_filter"],
    [5, "context_window"],
    [2, "unknown"],
  ]);
}

function stampsOf(
  blocks: readonly AssistantBlock[],
  choose: Draws,
): Readonly<Record<CallId, Stamp>> {
  const stamps: Record<CallId, Stamp> = {};
  for (const block of blocks) {
    if (block.type !== "tool_use") continue;
    stamps[block.call] = choose.chance(0.05) ? { invalid: "path is missing" } : stampOf(block.tool);
  }
  return stamps;
}

function decides({ call: asked, early }: EffectOf<"decide">, choose: Draws): readonly Fact[] {
  const verdict = early
    ? "allow"
    : choose.weighted([
        [6, "allow"],
        [1, "deny"],
        [3, "ask"],
      ] as const);
  if (early && choose.chance(0.3)) return [];
  if (verdict === "ask") {
    const rule = choose.pick(["built-in:ask", "built-in:outside", "user:bash(npm *)"]);
    return [
      {
        type: "permission.asked",
        call: asked.id,
        rule,
        reason: "it needs permission",
        because: null,
      },
    ];
  }
  const edited =
    early || choose.chance(0.9)
      ? null
      : { input: { n: 7 }, stamp: choose.pick([asked.stamp, stampOf("nothing")]) };
  return [
    {
      type: "permission.decided",
      call: asked.id,
      verdict,
      by: choose.pick(["rule", "mode", "hook"]),
      rule: "built-in:read",
      reason: "because",
      because: choose.pick([null, { type: "granted" }]),
      edited,
      grant: choose.chance(0.1) ? { tool: asked.tool, resource: null } : null,
    },
  ];
}

function answers(state: State, effect: EffectOf<"ask">, choose: Draws): readonly Fact[] {
  const facts = admit(state, {
    type: "answer",
    call: effect.call.id,
    verdict: choose.chance(0.8) ? "allow" : "deny",
    scope: choose.pick(["once", "session"]),
    reason: "",
  });
  return isRefusal(facts) ? [] : facts;
}

const begins = (allowed: Call): Fact =>
  toolStarted(allowed.id, {
    attempt: allowed.attempt + 1,
    recovery: "recovery" in allowed.stamp ? allowed.stamp.recovery : "never",
    intent: { attempt: allowed.attempt + 1, ...future },
  });

function toolEnds(running: Call, choose: Draws): readonly Fact[] {
  const { id, attempt } = running;
  if (choose.chance(0.1)) return [{ type: "budget.reserved", call: id, costUsd: 0.01 }];
  if (choose.chance(0.1)) {
    return [{ type: "job.started", job: jobId(`j-${id}`), call: id, title: "npm run dev" }];
  }
  const outcome = choose.weighted([
    [8, "ok"],
    [2, "error"],
    [1, "timeout"],
    [1, "interrupted"],
  ] as const);
  const end = toolEnd(choose);
  return [
    toolFinished(id, {
      attempt,
      outcome,
      content: end.content,
      effects: end.effects,
      docs: end.docs ?? {},
    }),
  ];
}

const toolEnd = (choose: Draws): ToolEnd => ({
  outcome: choose.pick(["ok", "error"]),
  content: choose.pick([
    [],
    [{ type: "text", text: choose.pick(words), ...future }],
    [{ type: "text", text: { blob: hash("long"), bytes: 100_000 } }],
    [{ type: "image", mediaType: "image/png", data: "aGk=" }],
  ]),
  effects: choose.pick([
    [],
    [
      {
        type: "file_written",
        path: "/repo/a.ts",
        bytes: 3,
        lines: [1, 1],
        before: null,
        after: hash("a"),
      },
    ],
    [{ type: "file_deleted", path: "/repo/b.ts", before: hash("b") }],
    [
      {
        type: "process_ran",
        command: "npm test",
        exitCode: 0,
        durationMs: 9,
        changed: ["/repo/c.ts"],
      },
    ],
    [{ type: "request_sent", url: "https://x.test/", status: 200 }],
  ]),
  docs: choose.pick([{}, { todo: [{ text: "one", state: "done" }] }]),
});

function probeEnds(lost: Call, choose: Draws): Fact {
  const verdict = choose.pick(["happened", "did_not_happen", "running", "undetermined"] as const);
  const hasEnd = verdict === "happened" || verdict === "undetermined";
  return probed(lost.id, verdict, hasEnd && choose.chance(0.6) ? toolEnd(choose) : null);
}

function cuts(state: State): Fact {
  const { phase } = state;
  const summary = phase.at === "compacting" ? phase.summary : null;
  return {
    type: "context.compacted",
    from: cutPoint(state),
    summary,
    how: summary === null ? "drop" : "summary",
  };
}
