import assert from "node:assert/strict";
import { test } from "node:test";

import { outstanding, summaryRequest, text, visible, type Message, type State } from "#core";
import type { ModelRequest } from "#runtime";

import { bodyBuilder } from "../../src/adapters/models/anthropic/body.ts";
import { bodyBuilder as geminiBodyBuilder } from "../../src/adapters/models/gemini/body.ts";
import { bodyBuilder as chatBodyBuilder } from "../../src/adapters/models/openai-chat/body.ts";
import { providers } from "../../src/adapters/models/catalog/providers.ts";
import { bodyBuilder as responsesBodyBuilder } from "../../src/adapters/models/openai-responses/body.ts";
import { chatRequestProblems } from "../../src/adapters/models/scripted/chat-check.ts";
import { geminiRequestProblems } from "../../src/adapters/models/scripted/gemini-check.ts";
import { requestProblems } from "../../src/adapters/models/scripted/request-check.ts";
import { responsesRequestProblems } from "../../src/adapters/models/scripted/responses-check.ts";
import { after, forkedTo, prompted } from "./facts.ts";
import { eachHistory, everyNth } from "./history.ts";

/** How a wire writes requests, and what its provider would say against one. */
interface Wire {
  readonly name: string;
  builder(): (request: ModelRequest) => readonly Uint8Array[];
  problems(body: unknown): readonly string[];
}

const anthropic = (thinkingBudgetTokens: number | null): Wire => ({
  name: thinkingBudgetTokens === null ? "Anthropic" : "Anthropic, with thinking",
  builder: () => {
    const build = bodyBuilder({ thinkingBudgetTokens, isOwnHost: true });
    return (request) => build(request).parts;
  },
  problems: requestProblems,
});

const wires: readonly Wire[] = [
  anthropic(null),
  anthropic(2000),
  ...providers
    .filter(({ provider }) => ["openai-compatible", "deepseek", "mistral"].includes(provider))
    .map((dialect) => ({
      name: `Chat Completions, ${dialect.provider}`,
      builder: () => chatBodyBuilder(dialect),
      problems: chatRequestProblems,
    })),
  {
    name: "Responses",
    builder: () => responsesBodyBuilder({ isOwnHost: true, thinkingBudgetTokens: 9000 }),
    problems: responsesRequestProblems,
  },
  {
    name: "Gemini",
    builder: () => geminiBodyBuilder({ thinkingBudgetTokens: null }),
    problems: (body) => geminiRequestProblems(body),
  },
];

test("L10 W04 every request that is owed is valid on every wire, and so is one after a fork", () => {
  eachHistory(({ states }) => {
    const builders = wires.map((wire) => ({ wire, build: wire.builder() }));
    for (const state of everyNth(25, states)) {
      const request = requestOf(state);
      if (request !== null)
        for (const { wire, build } of builders) assertValid(wire, build(request));
      if (state.seq === 0) continue;
      const fork = after(state, forkedTo(state.seq), prompted(state.count.inputs + 1));
      const asked = requestOf(fork);
      if (asked !== null) for (const wire of wires) assertValid(wire, wire.builder()(asked));
    }
  });
});

function assertValid(wire: Wire, parts: readonly Uint8Array[]): void {
  const body: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
  assert.deepEqual(wire.problems(body), [], `${wire.name}: ${JSON.stringify(body)}`.slice(0, 4000));
}

/** The request a state owes the model, long texts filled in as the runtime does; null when it owes none. */
function requestOf(state: State): ModelRequest | null {
  const effect = outstanding(state).find((owed) => owed.type === "call_model");
  if (effect?.type !== "call_model") return null;
  const ask: Message = { role: "user", blocks: [text(summaryRequest)], seq: state.seq };
  const messages = [...visible(state), ...(effect.purpose === "compaction" ? [ask] : [])];
  return {
    model: state.agent.model,
    system: [{ name: "role", text: "You are Pawl.", stable: true }],
    tools: ["read", "grep", "write", "bash", "fetch", "agent"].map((name) => ({
      name,
      description: `Does ${name}.`,
      inputSchema: { type: "object" },
    })),
    toolChoice: effect.tools ? "auto" : "none",
    messages: JSON.parse(JSON.stringify(messages), (_key, value: unknown) => whole(value)),
    maxOutputTokens: 4000,
  };
}

const whole = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "blob" in value ? "a long text" : value;
