import assert from "node:assert/strict";
import { test } from "node:test";
import { fold, type Stamped } from "#core";

test("a fact from the disk that lacks what its type promises is passed over, never thrown", () => {
  const started = {
    at: 1,
    fact: { type: "session.started", rules: 1, sessionId: "s", parent: null, cwd: "/", agent: {} },
  };
  const broken = [
    { at: 2, fact: { type: "response.received" } },
    { at: 3, fact: null },
    { at: 4, fact: { type: "context.compacted", from: "x" } },
    { at: 5, fact: { type: "toString" } },
  ];
  const facts: readonly Stamped[] = JSON.parse(JSON.stringify([started, ...broken]));
  const { state, refused } = fold(facts);
  assert.equal(state.seq, 1);
  assert.deepEqual(
    refused.map(({ index }) => index),
    [1, 2, 3, 4],
  );
});

test("a state counts facts as the journal numbers its lines, also past a line that was lost", () => {
  const agent = {};
  const started = {
    seq: 1,
    at: 1,
    fact: { type: "session.started", rules: 1, sessionId: "s", parent: null, cwd: "/", agent },
  };
  const later = { seq: 4, at: 2, fact: { type: "hook.ran", point: "p", call: null, note: "" } };
  const facts: readonly Stamped[] = JSON.parse(JSON.stringify([started, later]));
  assert.equal(fold(facts).state.seq, 4);
});
