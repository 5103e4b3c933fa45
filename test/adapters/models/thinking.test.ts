import assert from "node:assert/strict";
import { test } from "node:test";
import { thinkingOf } from "../../../src/adapters/models/anthropic/thinking.ts";

const usual = { budgetTokens: null, maxTokens: 32_000, isAllowed: true, isOwnHost: true };
const enabled = (budget_tokens: number) => ({ thinking: { type: "enabled", budget_tokens } });

for (const [budgetTokens, maxTokens, body] of [
  [4000, 32_000, enabled(4000)],
  [1, 32_000, enabled(1024)],
  [64_000, 32_000, enabled(31_999)],
  [1024, 1025, enabled(1024)],
  [1024, 1024, {}],
  [null, 32_000, {}],
] as const) {
  test(`a budget of ${budgetTokens} with ${maxTokens} tokens of output stays within the API's bounds [W17]`, () => {
    const part = thinkingOf("claude-sonnet-4-5", { ...usual, budgetTokens, maxTokens });
    assert.deepEqual(part, { body, beta: null });
  });
}

test("calls that were made without thinking are answered without it", () => {
  const part = thinkingOf("claude-sonnet-4-5", { ...usual, budgetTokens: 4000, isAllowed: false });
  assert.deepEqual(part.body, {});
});

test("models that think as they see fit get no budget", () => {
  for (const model of ["claude-opus-4-7", "claude-opus-4-8", "claude-sonnet-5", "claude-opus-5"]) {
    const part = thinkingOf(model, { ...usual, budgetTokens: 4000 });
    assert.deepEqual(part, { body: { thinking: { type: "adaptive" } }, beta: null });
    assert.deepEqual(thinkingOf(model, usual).body, {});
  }
});

test("models that sign their thinking over the conversation are asked to drop what no longer fits", () => {
  for (const model of [
    "claude-fable-5-1",
    "claude-opus-5-5",
    "claude-haiku-5-5",
    "claude-opus-6",
  ]) {
    const { body, beta } = thinkingOf(model, usual);
    assert.deepEqual(body["thinking"], {
      type: "adaptive",
      display: "summarized",
      block_binding: { prefix_mismatch_behavior: "drop_block" },
    });
    assert.equal(beta, "thinking-binding-controls-2026-08-01");
    assert.deepEqual(thinkingOf(model, { ...usual, isOwnHost: false }), { body: {}, beta: null });
  }
  for (const model of ["claude-fable-5", "claude-opus-5", "claude-sonnet-5-20260101", "glm-5.3"]) {
    assert.equal(thinkingOf(model, usual).beta, null, model);
  }
});
