import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { callId, requestId, text, type CallId, type JsonObject, type Message } from "#core";
import type { ModelRequest } from "#runtime";
import {
  anthropicBody,
  dialectFor,
  chatRequestProblems,
  geminiBody,
  geminiRequestProblems,
  openAiChatBody,
  openAiResponsesBody,
  parseScript,
  requestProblems,
  responsesRequestProblems,
} from "#testing";
import { fixturesFolder, readJson } from "./fixtures.ts";

const folder = fixturesFolder();
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;
const list = (name: string): readonly string[] =>
  folder === null ? [] : readdirSync(join(folder, name));

interface Line {
  readonly type: "meta" | "user" | "assistant" | "results";
  readonly text?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: JsonObject;
  }[];
  readonly results?: readonly {
    readonly id: string;
    readonly isError: boolean;
    readonly text: string;
  }[];
}

/** A recorded session as our conversation; calls at its end that were never answered are not in it. */
function conversation(lines: readonly Line[], model: string): readonly Message[] {
  const ids = new Map<string, CallId>();
  const isOpen = (lines.at(-1)?.calls ?? []).length > 0;
  return lines.slice(0, isOpen ? -1 : undefined).flatMap((line, seq): readonly Message[] => {
    if (line.type === "meta") return [];
    if (line.type === "user") return [{ role: "user", blocks: [text(line.text ?? "")], seq }];
    if (line.type === "assistant") {
      const uses = (line.calls ?? []).map(({ id, name, input }, index) => {
        const call = callId(requestId(seq), index);
        ids.set(id, call);
        const rest = { problem: null, inputText: null, complete: true };
        return { type: "tool_use", call, wireId: id, tool: name, input, ...rest } as const;
      });
      const blocks = [text(line.text ?? ""), ...uses];
      return [{ role: "assistant", model, blocks, seq, partial: false }];
    }
    const blocks = (line.results ?? []).map(({ id, isError, text: said }) => ({
      type: "tool_result" as const,
      call: ids.get(id) ?? callId(requestId(seq), 0),
      content: [text(said)],
      isError,
    }));
    return [{ role: "user", blocks, seq }];
  });
}

/** How each wire writes a conversation, and what its provider would say against it. */
const wires: readonly {
  readonly name: string;
  problems(request: ModelRequest): readonly string[];
}[] = [
  {
    name: "anthropic",
    problems: (request) => requestProblems(JSON.parse(anthropicBody(request))),
  },
  {
    name: "openai",
    problems: (request) => responsesRequestProblems(JSON.parse(openAiResponsesBody(request))),
  },
  {
    name: "gemini",
    problems: (request) =>
      geminiRequestProblems(JSON.parse(geminiBody(request)), { model: "gemini-3-x" }),
  },
  ...["openai-compatible", "deepseek", "mistral"].map((name) => ({
    name,
    problems(request: ModelRequest) {
      const dialect = dialectFor(name);
      assert.ok(dialect !== null);
      return chatRequestProblems(JSON.parse(openAiChatBody(request, dialect)));
    },
  })),
];

describe("recorded sessions", { skip }, () => {
  for (const name of list("trajectories")) {
    for (const model of ["anthropic/claude-x", "deepseek/x", "openai/x", "gemini/x"]) {
      test(`${name}, written by ${model}, becomes a request every wire accepts`, () => {
        const lines = readFileSync(join(folder ?? "", "trajectories", name), "utf8")
          .trim()
          .split("\n");
        const messages = conversation(
          lines.map((line) => JSON.parse(line) as Line),
          model,
        );
        assert.ok(messages.length > 3);
        const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
        for (const wire of wires) {
          const request = {
            model: `${wire.name}/x`,
            system: [],
            tools,
            toolChoice: "auto" as const,
            messages,
            maxOutputTokens: 1000,
          };
          assert.deepEqual(wire.problems(request), [], wire.name);
        }
      });
    }
  }
  for (const name of list("tasks")) {
    test(`the script of ${name} can be read`, () => {
      const path = join(folder ?? "", "tasks", name, "script.json");
      assert.ok(parseScript(readJson(path), path).turns.length >= 2);
    });
  }
});
