import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cutPoint,
  hash,
  mustCompact,
  outstanding,
  plainText,
  resultOfRun,
  text,
  visible,
  type FactOf,
  type State,
} from "#core";

import {
  after,
  agent,
  asked,
  call,
  inputOf,
  nth,
  prompted,
  ran,
  replied,
  sessionStarted,
  told,
} from "./facts.ts";

const usage = { input: 900, output: 100, cacheRead: 0, cacheWrite: 0 };

/** A conversation of this many turns with one call each, in a window of 100,000 tokens. */
const turns = (count: number): State =>
  Array.from({ length: count }, (_, index) => index + 1).reduce<State>(
    (state, ordinal) =>
      after(
        state,
        asked(ordinal),
        replied(ordinal, [text(`turn ${ordinal}`), call("read")], { usage }),
        ...ran(nth(ordinal, 0)),
      ),
    told(sessionStarted({ window: 100_000 }), prompted(1, "the first request")),
  );

/** The summary comes, and the cut is made. */
function summed(state: State, ordinal: number): State {
  const owed = after(state, asked(ordinal), replied(ordinal, [text("what happened")]));
  return after(owed, cutNow(owed));
}

const cutNow = (state: State): FactOf<"context.compacted"> => ({
  type: "context.compacted",
  from: cutPoint(state),
  summary: "what happened",
  how: "summary",
});

const said = (state: State): readonly string[] =>
  visible(state).map(({ blocks }) => plainText(blocks));

test("R43 the size of every request is known by the provider's last count, and a summary comes before the window is full", () => {
  const near = after(
    turns(3),
    asked(4),
    replied(4, [call("read")], { usage: { ...usage, input: 95_000 } }),
    ...ran(nth(4, 0)),
  );
  assert.equal(near.phase.at, "compacting");
  assert.equal(turns(3).phase.at, "thinking");
});

test("an unknown window is never near, and neither is a conversation that has only begun", () => {
  const large: State = { ...turns(3), contextTokens: 1_000_000 };
  assert.equal(mustCompact({ ...large, agent: { ...agent, window: null } }), false);
  assert.equal(mustCompact({ ...large, messages: large.messages.slice(0, 2) }), false);
  assert.equal(mustCompact(large), true);
});

test("R45 R46 after a cut come the first request, the summary, the latest prompt and the newest turns, word for word", () => {
  const stopped = after(
    turns(6),
    asked(7),
    replied(7, [text("done")]),
    prompted(2, "the second request"),
    asked(8),
    replied(8, [call("read")]),
    ...ran(nth(8, 0)),
  );
  const owed = after(stopped, asked(9), replied(9, [text("…")], { reason: "context_window" }));
  const cut = summed(owed, 10);
  assert.deepEqual(said(cut).slice(0, 2), [
    "the first request",
    "[pawl] Summary of the conversation so far, made to save room:what happened",
  ]);
  assert.ok(said(cut).includes("the second request"));
  assert.deepEqual(visible(cut).slice(-2), stopped.messages.slice(-2));
});

test("R45 a prompt in the part that is cut stays, and the prefix stays when the next prompt comes", () => {
  const longPrompt = [2, 3, 4, 5, 6, 7].reduce<State>(
    (state, ordinal) =>
      after(state, asked(ordinal), replied(ordinal, [call("read")]), ...ran(nth(ordinal, 0))),
    after(
      told(
        sessionStarted(),
        prompted(1, "the first request"),
        asked(1),
        replied(1, [text("done")]),
      ),
      prompted(2, "the second request"),
    ),
  );
  const cut = summed(
    after(longPrompt, asked(8), replied(8, [text("…")], { reason: "context_window" })),
    9,
  );
  assert.equal(said(cut)[2], "the second request");
  const next = after(cut, asked(10), replied(10, [text("done")]), prompted(3, "the third request"));
  assert.deepEqual(visible(next).slice(0, visible(cut).length), visible(cut));
});

test("a cut never parts a call from its result", () => {
  const state = turns(9);
  const point = cutPoint(state);
  assert.equal(state.messages[point]?.role, "assistant");
  assert.ok(point > 1);
});

test("nothing can be cut from a conversation that has only begun, and a second cut lies behind the first", () => {
  assert.equal(cutPoint(told(sessionStarted(), prompted(1))), 0);
  const once = summed(
    after(turns(8), asked(9), replied(9, [text("…")], { reason: "context_window" })),
    10,
  );
  assert.equal(cutPoint(once) === 0 || cutPoint(once) > (once.cut?.from ?? 0), true);
});

test("when there is no summary the model is told that messages were dropped", () => {
  const owed = after(
    turns(6),
    asked(7),
    replied(7, [text("…")], { reason: "context_window" }),
    asked(8),
    replied(8, []),
  );
  const cut = after(owed, { ...cutNow(owed), summary: null });
  assert.deepEqual(said(cut).slice(0, 3), [
    "the first request",
    "[pawl] Earlier messages were dropped to make room.",
    plainText(owed.messages[cutPoint(owed)]?.blocks ?? []),
  ]);
});

test("a cut of nothing changes nothing of what the model sees", () => {
  const owed = after(
    turns(2),
    asked(3),
    replied(3, [text("…")], { reason: "context_window" }),
    asked(4),
    replied(4, [text("s")]),
  );
  const cut = after(owed, { ...cutNow(owed), from: 0 });
  assert.deepEqual(visible(cut), owed.messages);
});

test("a summary the user asks for leaves the run as it had stopped, costs money and no turn", () => {
  const done = after(turns(4), asked(5), replied(5, [text("done")]));
  const cut = summed(after(done, inputOf(2, "compact")), 6);
  assert.deepEqual(cut.phase, done.phase);
  assert.equal(cut.prompt.turns, done.prompt.turns);
  assert.ok(cut.prompt.costUsd > done.prompt.costUsd);
});

test("[C08] what the user says while a summary is made begins right after it, after a limit too", () => {
  const limits = { ...agent.limits, turns: 1 };
  const worn = after(
    told(sessionStarted({ limits }), prompted(1), asked(1), replied(1, [call("read")])),
    ...ran(nth(1, 0)),
  );
  const cut = summed(after(worn, inputOf(2, "compact"), prompted(3, "and now this")), 2);
  assert.equal(cut.phase.at, "thinking");
  assert.equal(said(cut).at(-1), "and now this");
});

test("a limit that is reached does not forbid the summary the user asks for", () => {
  const limits = { ...agent.limits, turns: 1 };
  const end = after(
    told(sessionStarted({ limits }), prompted(1), asked(1), replied(1, [call("read")])),
    ...ran(nth(1, 0)),
  );
  assert.equal(resultOfRun(end).limit, "turns");
  assert.equal(after(end, inputOf(2, "compact")).phase.at, "compacting");
  const timed = { ...agent.limits, timeMs: 1 };
  const done = told(sessionStarted({ limits: timed }), prompted(1), asked(1), replied(1, []));
  assert.deepEqual(
    outstanding(after(done, inputOf(2, "compact"))).map((effect) => effect.type),
    ["call_model"],
  );
});

test("a long text is passed on by its reference and never read", () => {
  const blob = { blob: hash("b"), bytes: 70_000 };
  const done = told(
    sessionStarted(),
    prompted(1),
    asked(1),
    replied(1, [text("short"), text(blob)]),
  );
  assert.deepEqual(resultOfRun(done).text, blob);
  assert.equal(plainText([text("a"), text(blob), { type: "thinking", text: "t" }]), "a");
});
