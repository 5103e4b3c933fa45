import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyState, fold, inputId, requestId, type Fact } from "#core";
import { wordsFor } from "#i18n";
import { stillGoingOn } from "../../src/ui/headless/heartbeat.ts";
import { styleFor } from "../../src/ui/terminal/style.ts";
import { clockTime } from "../../src/ui/view/clock-time.ts";
import { Narrator } from "../../src/ui/view/narrator.ts";

const words = await wordsFor("en");
const narrator = new Narrator(words, styleFor("never"));

const prompted: readonly Fact[] = [
  {
    type: "session.started",
    rules: 1,
    sessionId: emptyState.sessionId,
    parent: null,
    cwd: "/w",
    agent: { ...emptyState.agent, model: "a/b" },
    program: "pawl/0",
    gitHead: null,
  },
  {
    type: "input.received",
    input: inputId(1),
    kind: "prompt",
    blocks: [{ type: "text", text: "go" }],
  },
  {
    type: "request.started",
    request: requestId(1),
    purpose: "turn",
    attempt: 1,
    model: "a/b",
    tools: true,
  },
];

const failed: Fact = {
  type: "request.failed",
  request: requestId(1),
  failure: { class: "overloaded", message: "Busy.", status: 529, retryAfterMs: 60_000 },
  partial: "",
  usage: null,
  costUsd: null,
  jitter: 0,
  remedy: null,
};

const stateAfter = (facts: readonly Fact[]): ReturnType<typeof fold>["state"] =>
  fold(facts.map((fact) => ({ at: 1_000, fact }))).state;

test("[L10] after a long silence a line says what goes on, in every phase that can be long", () => {
  const say = (facts: readonly Fact[]): string | null =>
    stillGoingOn(stateAfter(facts), 31_000, { words, narrator });
  assert.equal(say(prompted), "still working: model (30 s)");
  assert.equal(
    say([...prompted, failed]),
    `still waiting for the provider (overloaded): 30 s left, until ${clockTime(61_000, 0)}`,
  );
  assert.equal(say([]), null);
});
