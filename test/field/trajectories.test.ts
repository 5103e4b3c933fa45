import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import {
  callId,
  requestId,
  text,
  type AssistantBlock,
  type CallId,
  type JsonObject,
  type Message,
} from "#core";
import type { ModelRequest } from "#runtime";
import {
  assertGoesOn,
  assertPaired,
  assertValid,
  wires,
  type TestWire,
} from "../adapters/models/wires.ts";
import { fixturesFolder } from "./fixtures.ts";

const fixtures = fixturesFolder();
const folder = fixtures === null ? null : join(fixtures, "trajectories");
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;
const names = folder === null ? [] : readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

type Line =
  | { readonly type: "meta" }
  | { readonly type: "user"; readonly text: string }
  | {
      readonly type: "assistant";
      readonly text: string;
      readonly calls: readonly {
        readonly id: string;
        readonly name: string;
        readonly input: JsonObject;
      }[];
    }
  | {
      readonly type: "results";
      readonly results: readonly {
        readonly id: string;
        readonly isError: boolean;
        readonly text: string;
      }[];
    };

/** A recorded session as our own history would hold it. */
function historyOf(lines: readonly Line[]): readonly Message[] {
  const ids = new Map<string, CallId>();
  return lines.flatMap((line, seq): Message[] => {
    switch (line.type) {
      case "meta":
        return [];
      case "user":
        return [{ role: "user", blocks: [text(line.text)], seq }];
      case "assistant": {
        const calls = line.calls.map((call, index): AssistantBlock => {
          const named = callId(requestId(seq), index);
          ids.set(call.id, named);
          return {
            type: "tool_use",
            call: named,
            wireId: call.id,
            tool: call.name,
            input: call.input,
            problem: null,
            inputText: null,
            complete: true,
          };
        });
        const said = line.text === "" ? [] : [text(line.text)];
        return [
          {
            role: "assistant",
            blocks: [...said, ...calls],
            model: "anthropic/recorded",
            seq,
            partial: false,
          },
        ];
      }
      case "results": {
        const blocks = line.results.map((result) => ({
          type: "tool_result" as const,
          call: ids.get(result.id) ?? callId(requestId(0), 0),
          content: [text(result.text)],
          isError: result.isError,
        }));
        return [{ role: "user", blocks, seq }];
      }
      default:
        return line satisfies never;
    }
  });
}

for (const name of names) {
  const raw = readFileSync(join(folder ?? "", name), "utf8")
    .trim()
    .split("\n");
  const history = settled(historyOf(raw.map((line) => JSON.parse(line) as Line)));
  const ends = history.flatMap((message, index) =>
    message.role === "user" && history[index + 1]?.role !== "user" ? [index + 1] : [],
  );
  for (const wire of wires) {
    test(`R14 ${name} on ${wire.name}: after every reply a request its provider takes, that goes on with the one before`, () => {
      const build = wire.builder();
      let before: string | null = null;
      for (const end of ends) {
        const body = build(requestOf(wire, history.slice(0, end)));
        assertValid(wire, body, wire.model);
        assert.equal(assertPaired(wire, body), callsIn(history.slice(0, end)));
        if (before !== null) assertGoesOn(wire, [before, body], "answered");
        before = body;
      }
      assert.ok(ends.length > 1);
    });
  }
}

test("the recorded sessions are all there", { skip }, () => assert.equal(names.length, 6));

/** Some recordings end with calls, one with sixteen: they are answered as those of a reply that was interrupted. */
function settled(history: readonly Message[]): readonly Message[] {
  const open = history.at(-1)?.blocks.filter((block) => block.type === "tool_use") ?? [];
  const results = open.map(({ call }) => ({
    type: "tool_result" as const,
    call,
    content: [text("Not run: the user interrupted.")],
    isError: true,
  }));
  return open.length === 0
    ? history
    : [...history, { role: "user", blocks: results, seq: history.length }];
}

const callsIn = (messages: readonly Message[]): number =>
  messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool_use")).length;

const requestOf = ({ model }: TestWire, messages: readonly Message[]): ModelRequest => ({
  model,
  system: [],
  tools: ["bash", "read"].map((tool) => ({
    name: tool,
    description: "Does it.",
    inputSchema: { type: "object" },
  })),
  toolChoice: "auto",
  messages,
  maxOutputTokens: 1000,
});
