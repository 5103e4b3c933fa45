import assert from "node:assert/strict";
import { test } from "node:test";

import {
  backoffTimer,
  deadlineTimer,
  emptyState,
  hash,
  inputId,
  jobId,
  outstanding,
  requestId,
  text,
  type Fact,
  type FactType,
  type State,
} from "#core";

import * as facts from "./facts.ts";
import { deepFreeze } from "./freeze.ts";

const first = facts.nth(1, 0);
const limits = { ...facts.agent.limits, timeMs: 3_600_000 };
const idle = facts.told(facts.sessionStarted({ limits }));
const owed = facts.after(idle, facts.prompted(1));
const streaming = facts.after(owed, facts.asked(1));
const early = facts.after(streaming, facts.requestedEarly(1, 0, { tool: "read" }));
const earlyAllowed = facts.after(early, facts.decided(first));
const earlyRuns = facts.after(earlyAllowed, facts.toolStarted(first, { recovery: "rerun" }));
const requested = facts.after(streaming, facts.replied(1, [facts.call("bash")]));
const questioned = facts.after(requested, facts.questioned(first));
const allowed = facts.after(requested, facts.decided(first));
const started = facts.after(allowed, facts.toolStarted(first));
const unknown = facts.after(started, facts.toolLost(first));
const backingOff = facts.after(streaming, facts.failed(1, "server"));
const stopped = facts.after(streaming, facts.replied(1, [text("done")]));
const summaryOwed = facts.after(stopped, facts.inputOf(2, "compact"));
const summaryStreams = facts.after(summaryOwed, facts.asked(2));
const cutOwed = facts.after(summaryStreams, facts.replied(2, [text("summary")]));
const interrupted = facts.after(streaming, facts.interrupt("graceful"));

/** Every place the machine can be in, by its name. */
const states = {
  "before anything": emptyState,
  idle,
  "request owed": owed,
  streaming,
  "early read": early,
  "early read allowed": earlyAllowed,
  "early read runs": earlyRuns,
  "call requested": requested,
  "call asked": questioned,
  "call allowed": allowed,
  "call started": started,
  "call unknown": unknown,
  "backing off": backingOff,
  stopped,
  "summary owed": summaryOwed,
  "summary streams": summaryStreams,
  "cut owed": cutOwed,
  "streaming, interrupted": interrupted,
} as const satisfies Record<string, State>;

type Place = keyof typeof states;
const places = Object.keys(states) as readonly Place[];
const begun = places.filter((place) => place !== "before anything");
const running = begun.filter((place) => place !== "idle" && place !== "stopped");
const open: readonly Place[] = ["early read", "call requested", "call asked"];

/** Where each fact can happen; everywhere else it is refused. The request or input is the one of the place. */
const table: readonly {
  readonly title: FactType;
  readonly fact: (state: State) => Fact;
  readonly legal: readonly Place[];
}[] = [
  { title: "session.started", fact: () => facts.sessionStarted(), legal: ["before anything"] },
  { title: "session.resumed", fact: () => facts.resumed, legal: begun },
  { title: "session.forked", fact: (state) => facts.forkedTo(state.seq), legal: begun },
  {
    title: "agent.changed",
    fact: () => ({ type: "agent.changed", agent: { mode: "edit" } }),
    legal: begun,
  },
  {
    title: "input.received",
    fact: (state) => facts.prompted(state.count.inputs + 1),
    legal: begun,
  },
  {
    title: "input.received",
    fact: (state) => facts.inputOf(state.count.inputs + 1, "continue"),
    legal: ["stopped"],
  },
  {
    title: "input.received",
    fact: (state) => facts.inputOf(state.count.inputs + 1, "compact"),
    legal: ["stopped"],
  },
  {
    title: "input.withdrawn",
    fact: (state) => ({ type: "input.withdrawn", inputs: [inputId(state.count.inputs)] }),
    legal: [],
  },
  { title: "interrupt.requested", fact: () => facts.interrupt("now"), legal: running },
  {
    title: "request.started",
    fact: (state) => facts.asked(state.count.requests),
    legal: ["request owed", "summary owed"],
  },
  {
    title: "request.failed",
    fact: (state) => facts.failed(state.count.requests, "server"),
    legal: [
      "streaming",
      "early read",
      "early read allowed",
      "early read runs",
      "summary streams",
      "streaming, interrupted",
    ],
  },
  {
    title: "request.lost",
    fact: (state) => facts.requestLost(state.count.requests),
    legal: [
      "streaming",
      "early read",
      "early read allowed",
      "early read runs",
      "summary streams",
      "streaming, interrupted",
    ],
  },
  {
    title: "response.received",
    fact: (state) => facts.replied(state.count.requests, [text("done")]),
    legal: [
      "streaming",
      "early read",
      "early read allowed",
      "early read runs",
      "summary streams",
      "streaming, interrupted",
    ],
  },
  {
    title: "timer.fired",
    fact: () => ({ type: "timer.fired", timer: backoffTimer(requestId(1)) }),
    legal: ["backing off"],
  },
  {
    title: "timer.fired",
    fact: (state) => ({ type: "timer.fired", timer: deadlineTimer(state.prompt.seq) }),
    // A person is waited for, or the run has stopped and only a summary is made.
    legal: running.filter((place) => !/asked|summary|cut/.test(place)),
  },
  {
    title: "context.compacted",
    fact: () => ({
      type: "context.compacted",
      from: 0,
      summary: null,
      how: "drop",
    }),
    legal: ["cut owed"],
  },
  {
    title: "tool.requested",
    fact: (state) =>
      facts.requestedEarly(1, state.phase.at === "thinking" ? state.phase.early.length : 0, {
        tool: "read",
      }),
    legal: ["streaming", "early read", "early read allowed", "early read runs"],
  },
  { title: "permission.asked", fact: () => facts.questioned(first), legal: ["call requested"] },
  { title: "permission.decided", fact: () => facts.decided(first), legal: open },
  {
    title: "permission.decided",
    fact: () => facts.decided(first, "deny"),
    legal: ["call requested", "call asked"],
  },
  {
    title: "tool.started",
    fact: () => facts.toolStarted(first),
    legal: ["early read allowed", "call allowed"],
  },
  {
    title: "tool.finished",
    fact: () => facts.toolFinished(first),
    legal: ["early read runs", "call started"],
  },
  {
    title: "tool.lost",
    fact: () => facts.toolLost(first),
    legal: ["early read runs", "call started"],
  },
  { title: "tool.probed", fact: () => facts.probed(first, "happened"), legal: ["call unknown"] },
  {
    title: "job.started",
    fact: () => ({ type: "job.started", job: jobId("j"), call: first, title: "dev" }),
    legal: begun,
  },
  {
    title: "job.ended",
    fact: () => ({ type: "job.ended", job: jobId("j"), outcome: "" }),
    legal: [],
  },
  {
    title: "budget.reserved",
    fact: () => ({ type: "budget.reserved", call: first, costUsd: 1 }),
    legal: begun,
  },
  {
    title: "budget.released",
    fact: () => ({ type: "budget.released", call: first, costUsd: 1 }),
    legal: [],
  },
  {
    title: "memory.changed",
    fact: () => ({ type: "memory.changed", section: "notes", content: hash("n") }),
    legal: begun,
  },
  {
    title: "workspace.restored",
    fact: () => ({ type: "workspace.restored", paths: [], call: null }),
    legal: begun,
  },
  {
    title: "hook.ran",
    fact: () => ({ type: "hook.ran", point: "stop", call: null, note: "" }),
    legal: begun,
  },
];

for (const { title, fact, legal } of table) {
  test(`R2 R3 L6 where ${title} can happen (${JSON.stringify(fact(started)).slice(0, 90)})`, () => {
    const accepted = places.filter((place) => {
      const state = deepFreeze(states[place]);
      return facts.refusal(state, fact(state)) === null;
    });
    assert.deepEqual(accepted, legal);
  });
}

test("R2 every place has its own set of work that is owed", () => {
  const owes = Object.entries(states).map(([place, state]) => [
    place,
    outstanding(state)
      .filter((effect) => effect.id !== `wait:${deadlineTimer(state.prompt.seq)}`)
      .map((effect) => effect.id)
      .join(" "),
  ]);
  assert.deepEqual(Object.fromEntries(owes), {
    "before anything": "",
    idle: "",
    "request owed": "model:r1",
    streaming: "model:r1",
    "early read": "model:r1 decide:r1-0:early",
    "early read allowed": "model:r1 run:r1-0#1",
    "early read runs": "model:r1 run:r1-0#1",
    "call requested": "decide:r1-0:whole",
    "call asked": "ask:r1-0",
    "call allowed": "run:r1-0#1",
    "call started": "run:r1-0#1",
    "call unknown": "probe:r1-0#1",
    "backing off": "wait:backoff-r1",
    stopped: "",
    "summary owed": "model:r2",
    "summary streams": "model:r2",
    "cut owed": "cut:r2",
    "streaming, interrupted": "model:r1",
  });
});

test("R3 thinking is left by a reply, a failure or an interrupt only", () => {
  const others = table.filter(
    ({ title, fact, legal }) =>
      legal.includes("streaming") &&
      facts.after(streaming, fact(streaming)).phase.at !== "thinking" &&
      title !== "session.forked",
  );
  assert.deepEqual(
    others.map(({ title }) => title),
    ["request.failed", "response.received"],
  );
  assert.equal(facts.after(owed, facts.interrupt("graceful")).phase.at, "stopped");
});

test("L6 a fact of a type nobody knows is refused", () => {
  const future: Fact = JSON.parse('{"type":"future.happened"}');
  assert.equal(facts.refusal(streaming, future), "unknown fact future.happened");
});

test("L6 facts about another request, call, attempt or place are refused with the reason", () => {
  const refused = (state: State, fact: Fact): string | null => facts.refusal(state, fact);
  assert.equal(refused(streaming, facts.replied(2, [])), "request r2 is not the one owed");
  assert.equal(refused(owed, facts.replied(1, [])), "request r1 had not begun");
  assert.equal(refused(streaming, facts.asked(1)), "request r1 has begun already");
  assert.equal(refused(started, facts.toolFinished(facts.nth(9, 0))), "call r9-0 is not open");
  assert.equal(
    refused(started, facts.toolFinished(first, { attempt: 2 })),
    "attempt 2 is not the running one",
  );
  assert.equal(refused(started, facts.toolLost(first, 2)), "attempt 2 is not the running one");
  assert.equal(
    refused(allowed, facts.toolStarted(first, { attempt: 2 })),
    "attempt 2 is out of order",
  );
  assert.equal(refused(started, facts.toolStarted(first)), "call r1-0 is started, not allowed");
  assert.equal(refused(idle, facts.prompted(2)), "input i2 is out of order");
  assert.equal(
    refused(cutOwed, compactedAt(99)),
    "the cut is outside the conversation or parts a call from its result",
  );
  assert.equal(
    refused(interrupted, facts.requestedEarly(1, 0, { tool: "read" })),
    "no call may start any more",
  );
});

const compactedAt = (from: number): Fact => ({
  type: "context.compacted",
  from,
  summary: null,
  how: "drop",
});

test("L6 a reply whose calls do not bear the ids of their places, or have no stamp, is refused", () => {
  const reply = facts.replied(1, [facts.call("read")]);
  const renamed = { ...reply, blocks: facts.named(2, [facts.call("read")]) };
  assert.equal(facts.refusal(streaming, renamed), "call r2-0 does not bear the id of its place");
  assert.equal(facts.refusal(streaming, { ...reply, stamps: {} }), "call r1-0 has no stamp");
});
