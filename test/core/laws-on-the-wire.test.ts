import { test } from "node:test";

import {
  modelInUse,
  outstanding,
  summaryRequest,
  text,
  thinkingLevels,
  visible,
  type AssistantMessage,
  type Message,
  type State,
} from "#core";
import type { ModelRequest } from "#runtime";

import {
  assertGoesOn,
  assertValid,
  wires as all,
  type TestWire,
} from "../adapters/models/wires.ts";
import { after, agent, forkedTo, prompted } from "./facts.ts";
import { eachHistory, everyNth } from "./history.ts";

/** One more dialect, or text over one more wire, adds nothing here: every-wire.test.ts tries them all. */
const wires = all.filter(({ name }) => !/openrouter|text over (?!Chat)/.test(name));

test("L10 W04 every request that is owed is valid on every wire, and so is one after a fork", () => {
  eachHistory(({ states }) => {
    for (const state of everyNth(25, states)) {
      const fork =
        state.seq === 0
          ? state
          : after(state, forkedTo(state.seq), prompted(state.count.inputs + 1));
      for (const wire of wires) {
        for (const asked of [requestOf(state, wire), requestOf(fork, wire)]) {
          if (asked !== null) assertValid(wire, wire.builder()(asked), asked.model);
        }
      }
    }
  });
});

test("L10 R14 until a cut or another model, each request goes on with the bytes of the one before, on every wire", () => {
  eachHistory(({ states }) => {
    const owing = states.filter((state) => state.seq > 0 && ownsTurn(state));
    for (const wire of everyNth(3, wires)) {
      const build = wire.builder();
      let before: { readonly state: State; readonly body: string } | null = null;
      for (const state of everyNth(4, owing)) {
        const asked = requestOf(state, wire);
        if (asked === null) continue;
        const body = build(asked);
        if (before !== null && goesOn(before.state, state)) {
          assertGoesOn(wire, [before.body, body], isAnswered(before.state, state));
        }
        before = { state, body };
      }
    }
  });
});

const ownsTurn = (state: State): boolean =>
  outstanding(state).some((owed) => owed.type === "call_model" && owed.purpose === "turn");

const goesOn = (before: State, state: State): boolean =>
  before.cut === state.cut &&
  before.withheld === state.withheld &&
  modelInUse(before).model === modelInUse(state).model;

/** A reply that says nothing is not sent: what the user says next joins what was said before. */
function isAnswered(before: State, state: State): "answered" | "open" {
  const next = visible(state)[visible(before).length];
  return next?.role === "assistant" && saysSomething(next) ? "answered" : "open";
}

const saysSomething = ({ blocks }: AssistantMessage): boolean =>
  blocks.some(
    (block) =>
      block.type === "tool_use" ||
      (block.type === "text" && (typeof block.text !== "string" || block.text.trim() !== "")),
  );

const strict = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

/**
 * The request a state owes the model, long texts filled in as the runtime does; null when it owes none. The model of
 * the histories and its provider are those of the wire, so that nothing it has said is foreign.
 */
function requestOf(state: State, wire: TestWire): ModelRequest | null {
  const effect = outstanding(state).find((owed) => owed.type === "call_model");
  if (effect?.type !== "call_model") return null;
  const ask: Message = { role: "user", blocks: [text(summaryRequest)], seq: state.seq };
  const messages = [...visible(state), ...(effect.purpose === "compaction" ? [ask] : [])];
  return {
    model: modelOn(wire, modelInUse(state).model),
    system: [{ name: "role", text: "You are Pawl.", stable: true }],
    tools,
    toolChoice: effect.tools ? "auto" : "none",
    messages: messages.map((message) => writtenFor(wire, message)),
    maxOutputTokens: 4000,
    answerSchema: state.prompt.answerSchema === null ? null : strict,
    // Each request is asked for in another way; the same state always in the same one.
    thinking: [null, ...thinkingLevels][state.seq % 6] ?? null,
  };
}

const tools: ModelRequest["tools"] = ["read", "grep", "write", "bash", "fetch", "agent"].map(
  (name) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } }),
);

const modelOn = (wire: TestWire, model: string): string =>
  model === agent.model ? wire.model : model;

/** The same message gives the same object, as in a session. */
function writtenFor(wire: TestWire, message: Message): Message {
  const known = written.get(wire) ?? new WeakMap<Message, Message>();
  written.set(wire, known);
  const found = known.get(message);
  if (found !== undefined) return found;
  const whole: Message = JSON.parse(JSON.stringify(message), (key, value: unknown) => {
    if (key === "provider" && value === "anthropic") return wire.model.replace(/\/.*/, "");
    return typeof value === "object" && value !== null && "blob" in value ? "a long text" : value;
  });
  const made =
    whole.role === "user"
      ? whole
      : {
          ...whole,
          model: modelOn(wire, whole.model),
          blocks: whole.blocks.map((block, index) => wire.asRead(block, whole.seq * 100 + index)),
        };
  known.set(message, made);
  return made;
}

const written = new WeakMap<TestWire, WeakMap<Message, Message>>();
