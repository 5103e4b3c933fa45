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
import { anthropicClient, fakeClock, startScriptedServer } from "#testing";
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
  test(`R14 ${name}: the API takes the history after every reply, and each request begins with the one before`, async () => {
    const raw = readFileSync(join(folder ?? "", name), "utf8")
      .trim()
      .split("\n");
    const history = historyOf(raw.map((line) => JSON.parse(line) as Line));
    await using server = await startScriptedServer({ turns: [] });
    const client = anthropicClient({ baseUrl: server.url, apiKey: "none", clock: fakeClock() });
    const ends = history.flatMap((message, index) =>
      message.role === "user" && history[index + 1]?.role !== "user" ? [index + 1] : [],
    );
    for (const end of ends) {
      const request = {
        model: "anthropic/any",
        system: [],
        tools: [],
        toolChoice: "auto",
        messages: history.slice(0, end),
        maxOutputTokens: 1000,
      } as const;
      for await (const chunk of client.stream(request, { signal: new AbortController().signal })) {
        assert.notEqual(chunk.type, "failure", JSON.stringify(chunk));
      }
    }
    const { requests } = server;
    assert.ok(requests.length > 0 && requests.length === ends.length);
    assert.deepEqual(
      requests.flatMap((request) => request.problems),
      [],
    );
    assert.deepEqual(requests.flatMap(unpaired), []);
    const bodies = requests.map((request) => messagesOf(request.body).map(withoutMarks));
    bodies.slice(1).forEach((body, index) => {
      const before = bodies[index] ?? [];
      assert.deepEqual(body.slice(0, before.length), before);
    });
  });
}

test("the recorded sessions are all there", { skip }, () => assert.equal(names.length, 6));

type Wire = { readonly role: string; readonly content: readonly JsonObject[] };

const messagesOf = (body: JsonObject): readonly Wire[] => body["messages"] as unknown as Wire[]; // checked by the server

const withoutMarks = (message: Wire): string =>
  JSON.stringify(message, (key, value: unknown) => (key === "cache_control" ? undefined : value));

/** Calls that are not answered in the very next message, each once and in order. */
function unpaired({ body }: { readonly body: JsonObject }): readonly string[] {
  const messages = messagesOf(body);
  return messages.flatMap((message, index) => {
    const idsOf = (one: Wire | undefined, type: string, key: string): readonly unknown[] =>
      (one?.content ?? []).filter((block) => block["type"] === type).map((block) => block[key]);
    const calls = idsOf(message, "tool_use", "id");
    const results = idsOf(messages[index + 1], "tool_result", "tool_use_id");
    if (message.role !== "assistant") return [];
    return JSON.stringify(calls) === JSON.stringify(results) ? [] : [`message ${index}`];
  });
}
