import assert from "node:assert/strict";
import { test } from "node:test";

import {
  emptyState,
  fold,
  hash,
  isPawlError,
  isRunning,
  jobId,
  outstanding,
  PawlError,
  plainText,
  resultOfRun,
  sameJson,
  sessionId,
  text,
  type Fact,
  type Stamped,
  type State,
} from "#core";

import {
  after,
  asked,
  call,
  decided,
  failed,
  forkedTo,
  inputOf,
  interrupt,
  nth,
  prompted,
  ran,
  replied,
  resumed,
  sessionStarted,
  told,
  toolLost,
  toolStarted,
  withHistory,
} from "./facts.ts";

const conversation = ({ messages }: State): readonly (readonly [string, string])[] =>
  messages.map(({ role, blocks }) => [
    role,
    blocks
      .map((block) => ("call" in block ? `${block.type} ${block.call}` : plainText([block])))
      .join(" + "),
  ]);

const working = told(
  sessionStarted(),
  prompted(1),
  asked(1),
  replied(1, [text("Look."), call("read"), call("write")], { reason: "tool_use" }),
);

test("R11 R14 R17 prompt, reply, results, reply: each step appends, nothing before it changes", () => {
  const state = after(
    working,
    ...ran(nth(1, 0)),
    ...ran(nth(1, 1)),
    asked(2),
    replied(2, [text("Done.")]),
  );
  assert.deepEqual(conversation(state), [
    ["user", "Fix it"],
    ["assistant", "Look. + tool_use r1-0 + tool_use r1-1"],
    ["user", "tool_result r1-0 + tool_result r1-1"],
    ["assistant", "Done."],
  ]);
  assert.deepEqual(state.messages.slice(0, 2), working.messages);
});

test("R16 a run thinks and acts in turn until it stops", () => {
  const facts: readonly Fact[] = [
    sessionStarted(),
    prompted(1),
    asked(1),
    replied(1, [call("read")], { reason: "tool_use" }),
    ...ran(nth(1, 0)),
    asked(2),
    replied(2, [text("Done.")]),
  ];
  const places = facts.map((_, index) => told(...facts.slice(0, index + 1)).phase.at);
  assert.deepEqual(
    places.filter((place, index) => place !== places[index - 1]),
    ["idle", "thinking", "acting", "thinking", "stopped"],
  );
});

test("R18 where the session works is part of the state: folder, commit, changed files", () => {
  const moved = after(working, { ...resumed, cwd: "/elsewhere", gitHead: "abc" });
  assert.deepEqual([moved.cwd, moved.gitHead, moved.filesModified], ["/elsewhere", "abc", []]);
});

test("R19 R20 the metadata stands by itself: without messages it is still right", () => {
  const state: State = { ...after(working, ...ran(nth(1, 0)), ...ran(nth(1, 1))), messages: [] };
  const { sessionId: id, prompt, budget } = state;
  assert.deepEqual(
    [id, prompt.turns, prompt.toolCalls, budget.usage.input, budget.costUsd],
    ["s1", 1, 2, 100, 0.01],
  );
});

test("R24 a fork goes on by itself: open calls are not run, queued input and jobs stay with the original", () => {
  const busy = after(
    working,
    { type: "job.started", job: jobId("j1"), call: nth(1, 0), title: "dev" },
    { type: "budget.reserved", call: nth(1, 0), costUsd: 1 },
    prompted(2, "later"),
    decided(nth(1, 0)),
    toolStarted(nth(1, 0)),
  );
  const fork = after(busy, forkedTo(busy.seq));
  assert.equal(fork.sessionId, "s2");
  assert.deepEqual(fork.forkOf, { sessionId: "s1", seq: busy.seq });
  assert.deepEqual([fork.inbox, fork.jobs, fork.budget.reserved], [[], {}, {}]);
  assert.deepEqual(outstanding(fork), []);
  assert.deepEqual(
    fork.messages
      .at(-1)
      ?.blocks.map((block) => block.type === "tool_result" && plainText(block.content)),
    [
      "Not run here: the session was forked at this point.",
      "Not run here: the session was forked at this point.",
    ],
  );
});

test("R24 a fork keeps the results that were there, and one of a session at rest stays at rest", () => {
  const half = after(working, ...ran(nth(1, 0)));
  const fork = after(half, forkedTo(half.seq));
  const [done] = fork.messages.at(-1)?.blocks ?? [];
  assert.ok(done?.type === "tool_result" && plainText(done.content) === "result of r1-0");
  const idle = told(sessionStarted());
  assert.equal(after(idle, forkedTo(1)).phase.at, "idle");
  const streaming = told(sessionStarted(), prompted(1), asked(1));
  assert.equal(resultOfRun(after(streaming, forkedTo(3))).outcome, "interrupted");
});

test("R24 two forks of one prefix do not know of each other", () => {
  const left = after(working, forkedTo(working.seq), prompted(2, "this way"));
  const right = after(working, forkedTo(working.seq), prompted(2, "that way"));
  assert.deepEqual(conversation(left).at(-1), ["user", "this way"]);
  assert.deepEqual(conversation(right).at(-1), ["user", "that way"]);
  assert.equal(working.sessionId, "s1");
});

test("[W14] steering while tools run goes with their results, as part of this prompt", () => {
  const steered = after(working, prompted(2, "use tabs"), ...ran(nth(1, 0)), ...ran(nth(1, 1)));
  assert.deepEqual(conversation(steered).at(-1), [
    "user",
    "tool_result r1-0 + tool_result r1-1 + use tabs",
  ]);
  assert.equal(steered.prompt.seq, working.prompt.seq);
});

test("input that is queued when the model finishes starts the next prompt", () => {
  const queued = after(told(sessionStarted(), prompted(1), asked(1)), prompted(2, "and this"));
  const next = after(queued, replied(1, [text("Done.")]));
  assert.deepEqual(conversation(next).at(-1), ["user", "and this"]);
  assert.equal(next.phase.at, "thinking");
  assert.ok(next.prompt.seq > queued.prompt.seq);
});

test("withdrawn input is gone, and only queued input can be withdrawn, once", () => {
  const queued = after(working, prompted(2, "a"), prompted(3, "b"));
  const [a, b] = queued.inbox.map((input) => input.id);
  assert.ok(a !== undefined && b !== undefined);
  const left = after(queued, { type: "input.withdrawn", inputs: [a] });
  assert.deepEqual(
    left.inbox.map((input) => input.id),
    [b],
  );
  const { refused } = fold([{ at: 1, fact: { type: "input.withdrawn", inputs: [b, b] } }], left);
  assert.equal(refused[0]?.reason, "an input that is not queued cannot be withdrawn");
});

test("[S22] an interrupt with input in the queue is refused until it is withdrawn", () => {
  const queued = after(working, prompted(2, "a"));
  const { refused } = fold([{ at: 1, fact: interrupt("now") }], queued);
  assert.equal(refused[0]?.reason, "queued input would begin: it is withdrawn first");
});

test("R36 an interrupt ends a run in every place that waits for nothing that runs", () => {
  const outcome = (state: State): unknown =>
    resultOfRun(after(state, interrupt("graceful"))).outcome;
  const streaming = told(sessionStarted(), prompted(1), asked(1));
  assert.equal(outcome(told(sessionStarted(), prompted(1))), "interrupted");
  assert.equal(outcome(after(streaming, failed(1, "server"))), "interrupted");
  assert.equal(outcome(working), "interrupted");
  const overflown = after(withHistory(streaming), failed(1, "context_overflow"));
  assert.equal(outcome(overflown), "interrupted");
  const cutOwed = after(overflown, asked(2), failed(2, "auth"));
  assert.equal(outcome(cutOwed), "interrupted");
  const probing = after(working, decided(nth(1, 0)), toolStarted(nth(1, 0)), toolLost(nth(1, 0)));
  assert.equal(isRunning(after(probing, interrupt("now"))), true);
});

test("an interrupt can be made more urgent, but not asked for twice", () => {
  const streaming = told(sessionStarted(), prompted(1), asked(1), interrupt("graceful"));
  const urgent = after(streaming, interrupt("now"));
  assert.equal(urgent.interrupt, "now");
  const { refused } = fold([{ at: 1, fact: interrupt("now") }], urgent);
  assert.equal(refused[0]?.reason, "everything is being stopped already");
});

test("a reply that is whole when the interrupt arrives is kept and completes", () => {
  const end = told(
    sessionStarted(),
    prompted(1),
    asked(1),
    interrupt("graceful"),
    replied(1, [text("Done.")]),
  );
  assert.equal(resultOfRun(end).outcome, "completed");
});

test("a pause, a full window or a summary after an interrupt leads to no further request", () => {
  const streaming = told(sessionStarted(), prompted(1), asked(1), interrupt("graceful"));
  const end = (fact: Fact): unknown => resultOfRun(after(streaming, fact)).outcome;
  assert.equal(end(replied(1, [text("…")], { reason: "pause_turn" })), "interrupted");
  assert.equal(end(replied(1, [text("…")], { reason: "context_window" })), "interrupted");
  const summary = after(
    withHistory(told(sessionStarted(), prompted(1), asked(1))),
    failed(1, "context_overflow"),
    asked(2),
    interrupt("graceful"),
    replied(2, [text("sum")]),
  );
  assert.equal(resultOfRun(summary).outcome, "interrupted");
});

test("memory is a section whose content is known by its hash; jobs come and go; hooks leave no trace", () => {
  const state = after(
    working,
    { type: "memory.changed", section: "notes", content: hash("n2") },
    { type: "job.started", job: jobId("j1"), call: nth(1, 0), title: "dev" },
    { type: "hook.ran", point: "stop", call: null, note: "" },
    { type: "workspace.restored", paths: ["a.ts"], call: null },
  );
  assert.deepEqual(state.agent.sections, { role: "role", notes: "n2" });
  assert.deepEqual(
    outstanding(state)
      .filter((effect) => effect.type === "watch_job")
      .map((effect) => effect.id),
    ["job:j1"],
  );
  assert.deepEqual(
    after(state, { type: "job.ended", job: jobId("j1"), outcome: "exit 0" }).jobs,
    {},
  );
});

test("fold passes over facts that cannot have happened and names them by their places", () => {
  const facts: readonly Stamped[] = [prompted(1), sessionStarted(), asked(1), prompted(1)].map(
    (fact, at) => ({ at, fact }),
  );
  const { state, refused } = fold(facts);
  assert.equal(state.seq, 2);
  assert.deepEqual(refused, [
    { index: 0, reason: "the first fact of a journal, and only the first, is session.started" },
    { index: 2, reason: "no request is owed in phase idle" },
  ]);
  assert.deepEqual(fold([]), { state: emptyState, refused: [] });
});

test("a continued conversation that ends with the user is sent as it is", () => {
  const stopped = after(working, interrupt("graceful"), inputOf(2, "continue"));
  assert.deepEqual(conversation(stopped).at(-1)?.[0], "user");
  assert.equal(stopped.messages.length, 3);
});

test("a sub-agent's session names its parent", () => {
  const parent = { sessionId: sessionId("s0"), call: nth(4, 2) };
  assert.deepEqual(told({ ...sessionStarted(), parent }).parent, parent);
});

test("an error of ours is known by its code, wherever its class was loaded from", () => {
  const error = new PawlError("journal_locked", "It is in use. Close the other one.", { cause: 1 });
  assert.deepEqual([error.name, error.code, error.cause], ["PawlError", "journal_locked", 1]);
  assert.equal(isPawlError({ isPawlError: true, code: "x" }), true);
  assert.equal(isPawlError(error, "journal_locked"), true);
  assert.equal(isPawlError(error, "other"), false);
  assert.deepEqual(
    [null, "text", {}, { isPawlError: true }].map((one) => isPawlError(one)),
    [false, false, false, false],
  );
});

test("values are the same JSON whatever the order of their keys", () => {
  assert.equal(sameJson({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] }), true);
  const different: readonly (readonly [unknown, unknown])[] = [
    [1, 2],
    [null, {}],
    [{}, null],
    ["a", {}],
    [[], {}],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: [1] }, { a: [2] }],
  ];
  assert.deepEqual(
    different.filter(([a, b]) => sameJson(a, b)),
    [],
  );
});
