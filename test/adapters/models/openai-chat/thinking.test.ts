import assert from "node:assert/strict";
import { test } from "node:test";

import { dialectFor } from "#testing";
import { thinkingPart } from "../../../../src/adapters/models/openai-chat/thinking.ts";

for (const [ref, level, said] of [
  ["openai-compatible/some-model", "off", { reasoning_effort: "none" }],
  ["openai-compatible/some-model", "max", { reasoning_effort: "high" }],
  ["openai-compatible/gpt-5.2", "max", { reasoning_effort: "xhigh" }],
  ["azure/gpt-5", "off", { reasoning_effort: "minimal" }],
  ["azure/gpt-4.1", "high", {}],
  ["ollama/qwen3", "off", { reasoning_effort: "none" }],
  ["groq/openai/gpt-oss-120b", "off", { reasoning_effort: "low" }],
  ["groq/qwen/qwen3-32b", "high", {}],
  ["mistral/devstral-2512", "high", {}],
  ["xai/grok-4.5", "medium", { reasoning_effort: "medium" }],
  ["xai/grok-4.20", "medium", {}],
  ["openrouter/anthropic/claude-opus-5", "max", { reasoning: { effort: "xhigh" } }],
  ["openrouter/anthropic/claude-opus-5", "off", { reasoning: { effort: "none" } }],
  ["zai/glm-5.3", "high", { thinking: { type: "enabled" } }],
  ["moonshot/kimi-k3", "off", { thinking: { type: "disabled" } }],
  ["moonshot/kimi-k2-0905-preview", "off", {}],
  ["deepseek/deepseek-v4-pro", "off", { thinking: { type: "disabled" } }],
  ["deepseek/deepseek-v4-pro", "max", { thinking: { type: "enabled" }, reasoning_effort: "max" }],
  ["qwen/qwen3.5-plus", "off", { enable_thinking: false }],
  ["qwen/qwen3.5-plus", "medium", { enable_thinking: true, thinking_budget: 8192 }],
  ["qwen/qwen3.5-plus", "max", { enable_thinking: true, thinking_budget: 10_000 }],
  ["qwen/qwen3-coder-plus", "max", {}],
  ["vllm/qwen3", "off", { chat_template_kwargs: { enable_thinking: false } }],
  [
    "llamacpp/gpt-oss-20b",
    "high",
    { chat_template_kwargs: { enable_thinking: true }, reasoning_effort: "high" },
  ],
  ["deepseek/deepseek-v4-pro", null, {}],
] as const) {
  test(`${ref} is to think ${level ?? "as it does by itself"} [W17]`, () => {
    const slash = ref.indexOf("/");
    const model = ref.slice(slash + 1);
    const dialect = dialectFor(ref.slice(0, slash), { model });
    assert.ok(dialect !== null);
    assert.deepEqual(thinkingPart(dialect, level, { model, maxTokens: 20_000 }), said);
  });
}
