import assert from "node:assert/strict";
import { test } from "node:test";
import { modelClients } from "#adapters/models";
import type { JsonObject, ThinkingLevel } from "#core";
import { fakeClock, startScriptedServer } from "#testing";
import { thinkingOf as partOf } from "../../../src/adapters/models/anthropic/thinking.ts";
import { ask, request } from "./asking.ts";
import { thinkingForm } from "../../../src/adapters/models/catalog/providers.ts";

const thinkingOf = (model: string, options: Parameters<typeof partOf>[1]) =>
  partOf(thinkingForm("anthropic", model), options);
const usual = { level: null, maxTokens: 64_000, isAllowed: true, isOwnHost: true } as const;
const enabled = (budget_tokens: number) => ({ thinking: { type: "enabled", budget_tokens } });

for (const [level, maxTokens, body] of [
  ["low", 64_000, enabled(4096)],
  ["medium", 64_000, enabled(12_288)],
  ["max", 64_000, enabled(48_000)],
  ["high", 8_192, enabled(6_144)],
  ["low", 1025, enabled(1024)],
  ["high", 1024, {}],
  ["off", 64_000, {}],
  [null, 64_000, {}],
] as const) {
  test(`to think ${level ?? "as it does"} with ${maxTokens} tokens of output stays within the API's bounds [W17]`, () => {
    const part = thinkingOf("claude-sonnet-4-5", { ...usual, level, maxTokens });
    assert.deepEqual(part, { body, beta: null });
  });
}

test("calls that were made without thinking are answered without it", () => {
  const part = thinkingOf("claude-sonnet-4-5", { ...usual, level: "high", isAllowed: false });
  assert.deepEqual(part.body, {});
});

test("models that do not think are not asked to", () => {
  for (const model of ["claude-3-5-haiku", "claude-3-opus-20240229", "claude-2.1"]) {
    assert.deepEqual(thinkingOf(model, { ...usual, level: "max" }).body, {}, model);
  }
});

test("models that think as they see fit are told by their effort", () => {
  for (const model of ["claude-opus-4-7", "claude-opus-4-8", "claude-sonnet-5", "claude-opus-5"]) {
    const told = (level: ThinkingLevel): JsonObject => thinkingOf(model, { ...usual, level }).body;
    const thinking = { type: "adaptive" };
    assert.deepEqual(told("medium"), { thinking, output_config: { effort: "medium" } });
    assert.deepEqual(told("max"), { thinking, output_config: { effort: "max" } });
    assert.deepEqual(told("off"), { thinking: { type: "disabled" } });
    assert.deepEqual(thinkingOf(model, usual).body, {});
  }
});

test("a model that cannot stop thinking thinks as little as it can", () => {
  for (const model of ["claude-fable-5", "claude-opus-5-5"]) {
    const { body } = thinkingOf(model, { ...usual, level: "off" });
    assert.deepEqual(body["output_config"], { effort: "low" }, model);
    assert.equal(JSON.stringify(body["thinking"]).includes("adaptive"), true, model);
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

test("a name of one's own thinks as its user says, on each wire", async () => {
  const level = "off";
  for (const [ref, thinking, said] of [
    ["anthropic/mine", "adaptive", '"thinking":{"type":"disabled"}'],
    ["gemini/mine", "budget_always", '"thinkingBudget":128'],
    ["openai/mine", "refused", '"store":false'],
  ] as const) {
    await using server = await startScriptedServer({ turns: [] });
    const [provider = ""] = ref.split("/");
    const clock = fakeClock();
    const client = modelClients({
      providers: { [provider]: { apiKey: "k", baseUrl: server.url } },
      overrides: { [ref]: { thinking } },
      cwd: ".",
      clock,
    })(ref);
    await ask(client, { request: { ...request, model: ref, thinking: level } });
    const body = JSON.stringify(server.requests[0]?.body);
    assert.ok(body.includes(said), body);
    assert.equal(body.includes("encrypted_content"), false);
  }
});
