import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, ModelClient } from "#runtime";
import { anthropicClient, dialectFor, geminiClient, openAiChatClient } from "#testing";
import {
  ask,
  eventStream,
  okStream,
  request,
  serve,
  type Last,
  type TestServer,
} from "./asking.ts";

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const dialect = dialectFor("openai-compatible");
const apiKey = null;

/** A whole reply on each wire, without the mark that nothing follows; and a frame that may follow its label. */
const wires: readonly {
  readonly name: string;
  readonly model: string;
  readonly reply: string;
  readonly usage: string;
  client(baseUrl: string, clock: Clock): ModelClient;
}[] = [
  {
    name: "Anthropic",
    model: "anthropic/x",
    reply: okStream.slice(0, okStream.lastIndexOf("data:")),
    usage: frame({ type: "message_delta", delta: {}, usage: { output_tokens: 7 } }),
    client: (baseUrl, clock) => anthropicClient({ apiKey, baseUrl, clock }),
  },
  {
    name: "Chat Completions",
    model: "openai-compatible/x",
    reply:
      frame({ choices: [{ index: 0, delta: { content: "ok" } }] }) +
      frame({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    usage: frame({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 7 } }),
    client(url, clock) {
      assert.ok(dialect !== null);
      return openAiChatClient({ apiKey, baseUrl: `${url}/v1`, clock, dialect });
    },
  },
  {
    name: "Gemini",
    model: "gemini/x",
    reply: frame({
      candidates: [{ content: { parts: [{ text: "ok" }] }, finishReason: "STOP" }],
    }),
    usage: frame({ usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 7 } }),
    client: (baseUrl, clock) => geminiClient({ apiKey, baseUrl, clock }),
  },
];

interface Open extends AsyncDisposable {
  readonly server: TestServer;
  readonly asking: Promise<Last>;
  write(text: string): Promise<void>;
  isOver(): boolean;
}

/** Asks a server that answers this and keeps the connection open. */
async function leftOpen(wire: (typeof wires)[number]): Promise<Open> {
  const { model, reply } = wire;
  const responses: ServerResponse[] = [];
  const server = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, eventStream).write(reply);
    responses.push(response);
  });
  let over = false;
  const asking = ask(wire.client(server.url, server.clock), { request: { ...request, model } });
  const settled = asking.finally(() => {
    over = true;
  });
  while (responses.length === 0) await sleep(1);
  await sleep(20);
  return {
    server,
    asking: settled,
    isOver: () => over,
    async write(text) {
      responses[0]?.write(text);
      await sleep(20);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

for (const wire of wires) {
  test(`a reply that is whole is not waited for when the connection stays open: ${wire.name}`, async () => {
    await using open = await leftOpen(wire);
    await open.server.clock.advance(2000);
    assert.equal(open.isOver(), false);
    await open.server.clock.advance(4000);
    const last = await open.asking;
    assert.ok(last.type === "end" && last.reply.stop.reason === "end_turn");
    assert.equal(open.server.clock.sleeping, 0);
  });

  test(`pings behind a whole reply hold nobody up: ${wire.name}`, async () => {
    await using open = await leftOpen(wire);
    for (let second = 0; second < 7; second += 1) {
      await open.write(": ping\n\n");
      await open.server.clock.advance(1000);
    }
    assert.equal((await open.asking).type, "end");
  });

  test(`what follows the label a moment later still counts: ${wire.name}`, async () => {
    await using open = await leftOpen(wire);
    await open.server.clock.advance(3000);
    await open.write(wire.usage);
    await open.server.clock.advance(3000);
    assert.equal(open.isOver(), false);
    await open.server.clock.advance(3000);
    const last = await open.asking;
    assert.ok(last.type === "end");
    assert.equal(last.reply.usage.output, 7);
  });
}
