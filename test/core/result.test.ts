import assert from "node:assert/strict";
import { test } from "node:test";

import { hash, resultOfRun, text, type LimitName, type State, type Stopped } from "#core";

import {
  after,
  agent,
  asked,
  call,
  failed,
  failure,
  interrupt,
  nth,
  prompted,
  questioned,
  replied,
  sessionStarted,
  told,
} from "./facts.ts";

const streaming = told(sessionStarted(), prompted(1), asked(1));
const base = after(streaming, replied(1, [text("So far.")]));
const ended: Stopped = {
  at: "stopped",
  outcome: "completed",
  limit: null,
  stop: null,
  failure: null,
  retryAt: null,
};
const stoppedAs = (how: Partial<Stopped>, changes: Partial<State> = {}): State => ({
  ...base,
  ...changes,
  phase: { ...ended, ...how },
});

const notes: readonly {
  readonly title: string;
  readonly how: Partial<Stopped>;
  readonly note: string | null;
}[] = [
  { title: "R5 completion needs no words", how: { outcome: "completed" }, note: null },
  {
    title: "R7 truncation says how to get the rest",
    how: { outcome: "truncated" },
    note: 'The answer was cut by the output limit. Say "continue" to get the rest.',
  },
  {
    title: "a refusal",
    how: { outcome: "refused" },
    note: "The model or its provider refused to go on.",
  },
  {
    title: "R36 an interrupt",
    how: { outcome: "interrupted" },
    note: "Interrupted. Nothing is lost; the session can go on.",
  },
  {
    title: "R37 a failure speaks for itself",
    how: { outcome: "failed", failure: failure("auth") },
    note: "it failed: auth",
  },
  { title: "a failure without a cause", how: { outcome: "failed" }, note: "The request failed." },
  {
    title: "R9 an unknown reason shows its raw label",
    how: { outcome: "unknown_stop", stop: { reason: "unknown", raw: "sensitive" } },
    note: "The reply ended for a reason this version does not know (sensitive). What had arrived is kept.",
  },
  {
    title: "R9 an unknown reason without a label",
    how: { outcome: "unknown_stop" },
    note: "The reply ended for a reason this version does not know (none given). What had arrived is kept.",
  },
];

for (const { title, how, note } of notes) {
  test(`R39 every end has its own words: ${title}`, () => {
    const result = resultOfRun(stoppedAs(how));
    assert.deepEqual([result.outcome, result.note], [how.outcome, note]);
    assert.deepEqual(result.warnings, note === null ? [] : [note]);
  });
}

const advice =
  "Split the task into smaller ones, try another approach, or go on from here with a higher limit.";
const limits = { turns: 7, costUsd: 0.5, tokens: 1000, toolCalls: 3, timeMs: 90_000 };

const limitNotes: readonly {
  readonly title: string;
  readonly limit: LimitName;
  readonly note: string;
}[] = [
  { title: "turns", limit: "turns", note: "Stopped by itself at the limit of 7 turns." },
  {
    title: "cost",
    limit: "cost",
    note: "Stopped by itself at the cost limit of $0.5 (spent $0.0100).",
  },
  { title: "tokens", limit: "tokens", note: "Stopped by itself at the limit of 1000 tokens." },
  {
    title: "tool calls",
    limit: "tool_calls",
    note: "Stopped by itself at the limit of 3 tool calls.",
  },
  { title: "time", limit: "time", note: "Stopped by itself at the time limit of 90 s." },
  { title: "no progress", limit: "no_progress", note: "Stopped by itself: no progress." },
];

for (const { title, limit, note } of limitNotes) {
  test(`R30 R34 R39 a limit names itself, its number and what to do: ${title}`, () => {
    const state = stoppedAs({ outcome: "limit", limit }, { agent: { ...agent, limits } });
    const result = resultOfRun(state);
    assert.equal(result.note, `${note} ${advice}`);
    assert.equal(result.text, `So far.\n\n${note} ${advice}`);
  });
}

test("R34 a limit without a number still gives the advice", () => {
  const timed = { ...agent, limits: { ...limits, timeMs: null } };
  const time = resultOfRun(stoppedAs({ outcome: "limit", limit: "time" }, { agent: timed }));
  assert.equal(time.note, `Stopped by itself at the time limit of 0 s. ${advice}`);
  assert.equal(
    resultOfRun(stoppedAs({ outcome: "limit" })).note,
    `Stopped by itself: no progress. ${advice}`,
  );
});

test("R30 at a limit without an answer the text is the note; an answer kept outside stays as it is", () => {
  const silent = stoppedAs(
    { outcome: "limit", limit: "turns" },
    { prompt: { ...base.prompt, answer: " " } },
  );
  assert.equal(resultOfRun(silent).text, resultOfRun(silent).note);
  const answer = { blob: hash("b"), bytes: 70_000 };
  const long = stoppedAs(
    { outcome: "limit", limit: "turns" },
    { prompt: { ...base.prompt, answer } },
  );
  assert.equal(resultOfRun(long).text, answer);
});

test("R27 R28 the five ends are told apart by outcome and limit", () => {
  const worn = told(
    sessionStarted({ limits: { ...agent.limits, turns: 1 } }),
    prompted(1),
    asked(1),
    replied(1, [call("unheard_of")]),
  );
  const spent = told(
    sessionStarted({ limits: { ...agent.limits, costUsd: 0.001 } }),
    prompted(1),
    asked(1),
    replied(1, [call("unheard_of")]),
  );
  const ends = [
    after(streaming, replied(1, [text("done")])),
    after(streaming, interrupt("now"), failed(1, "aborted")),
    worn,
    spent,
    after(streaming, failed(1, "auth")),
  ].map((state) => [resultOfRun(state).outcome, resultOfRun(state).limit]);
  assert.deepEqual(ends, [
    ["completed", null],
    ["interrupted", null],
    ["limit", "turns"],
    ["limit", "cost"],
    ["failed", null],
  ]);
});

test("R26 the result has one shape for every end, errors included", () => {
  assert.deepEqual(resultOfRun(base), {
    outcome: "completed",
    limit: null,
    stop: { reason: "end_turn", raw: "end_turn" },
    text: "So far.",
    note: null,
    warnings: [],
    turns: 1,
    toolCalls: 0,
    usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 },
    costUsd: 0.01,
    filesModified: [],
    denials: [],
    durationMs: 2000,
  });
});

test("R40 text so far is part of every abnormal end", () => {
  const partial = (state: State): unknown => resultOfRun(state).text;
  assert.equal(partial(after(streaming, failed(1, "auth", { partial: "half" }))), "half");
  assert.equal(
    partial(after(streaming, interrupt("now"), failed(1, "aborted", { partial: "half" }))),
    "half",
  );
  assert.equal(
    partial(after(streaming, replied(1, [text("half")], { reason: "max_tokens" }))),
    "half",
  );
  assert.equal(
    partial(after(streaming, replied(1, [text("half")], { reason: "unknown" }))),
    "half",
  );
  assert.equal(
    partial(after(streaming, replied(1, [text("half")], { reason: "refusal" }))),
    "half",
  );
});

test("a run that waits for a person says for what", () => {
  const waiting = after(
    streaming,
    replied(1, [call("bash")], { reason: "tool_use" }),
    questioned(nth(1, 0)),
  );
  const result = resultOfRun(waiting);
  assert.deepEqual(
    [result.outcome, result.note],
    ["waiting", "Waiting for permission: bash (r1-0)."],
  );
  assert.equal(resultOfRun(streaming).note, null);
});

test("the time of a result does not grow when the session is opened again later", () => {
  const later = after(
    { ...base, at: base.at + 86_400_000 },
    { type: "session.resumed", program: "p", cwd: "/repo", gitHead: null },
  );
  assert.equal(resultOfRun(later).durationMs, resultOfRun(base).durationMs);
});
