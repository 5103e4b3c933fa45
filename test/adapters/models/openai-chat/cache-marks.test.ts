import assert from "node:assert/strict";
import { test } from "node:test";
import { text, type Json, type JsonObject } from "#core";
import { dialectFor, openAiChatBody } from "#testing";
import type { ModelRequest } from "#runtime";
import { repliesOf, result, use, user } from "../histories.ts";
import { request } from "./chatting.ts";

const assistant = repliesOf("openrouter/anthropic/claude-sonnet-4.5");

const system = [
  { name: "role", text: "You are Pawl.", stable: true },
  { name: "rules", text: "Rules.", stable: true },
  { name: "date", text: "Today.", stable: false },
];

function bodyOf(model: string, more: Partial<ModelRequest>): JsonObject {
  const slash = model.indexOf("/");
  const dialect = dialectFor(model.slice(0, slash), { model: model.slice(slash + 1) });
  assert.ok(dialect !== null);
  return JSON.parse(openAiChatBody({ ...request, system, ...more, model }, dialect)) as JsonObject;
}

const mark = { cache_control: { type: "ephemeral" } };
const part = (content: string, more: JsonObject = {}): JsonObject => ({
  type: "text",
  text: content,
  ...more,
});

const messages = [
  user(text("q1")),
  assistant([text("a1")]),
  user(text("q2")),
  assistant([use(0), use(1)]),
  user(result(0), result(1)),
];

test("Claude behind OpenRouter is asked to cache what stays and the last two turns of the user", () => {
  const body = bodyOf("openrouter/anthropic/claude-sonnet-4.5", { messages });
  const sent = body["messages"] as readonly JsonObject[];
  assert.deepEqual(
    sent.map(({ role, content }): Json => [role ?? null, content ?? null]),
    [
      ["system", [part("You are Pawl.\n\nRules.", mark), part("Today.")]],
      ["user", [part("q1")]],
      ["assistant", "a1"],
      ["user", [part("q2", mark)]],
      ["assistant", null],
      ["tool", [part("ok")]],
      ["tool", [part("ok", mark)]],
    ],
  );
});

test("models that cache by themselves, and Claude where nobody asks, get plain texts", () => {
  for (const model of ["openrouter/openai/gpt-5.5", "openai-compatible/anthropic/claude"]) {
    const body = bodyOf(model, { messages });
    assert.doesNotMatch(JSON.stringify(body), /cache_control/);
    assert.deepEqual((body["messages"] as readonly JsonObject[])[0], {
      role: "system",
      content: "You are Pawl.\n\nRules.\n\nToday.",
    });
  }
});

test("a system prompt without anything that stays bears no mark", () => {
  const body = bodyOf("openrouter/anthropic/claude-sonnet-4.5", { system: system.slice(2) });
  const [first] = body["messages"] as readonly JsonObject[];
  assert.deepEqual(first, { role: "system", content: [part("Today.")] });
});
