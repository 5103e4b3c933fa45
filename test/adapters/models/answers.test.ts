import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { ModelClient } from "#runtime";
import {
  anthropicClient,
  fakeClock,
  geminiClient,
  openAiResponsesClient,
  type HttpOptions,
} from "#testing";
import { ask, okStream, request, type Last } from "./asking.ts";

type Make = (options: HttpOptions & { readonly baseUrl: string }) => ModelClient;

/** What a client makes of one answer that is no stream. */
async function answered(
  make: Make,
  {
    status,
    body,
    type,
  }: { readonly status: number; readonly body: unknown; readonly type: string },
): Promise<Last> {
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(status, { "content-type": type });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const last = await ask(make({ apiKey: "sk-secret-key", baseUrl, clock: fakeClock() }), {
    request,
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return last;
}

const json = "application/json";
const response = {
  object: "response",
  model: "gpt-x",
  status: "completed",
  output: [
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [{ type: "output_text", text: "Hi.", annotations: [] }],
    },
    { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: "{}" },
  ],
  usage: { input_tokens: 3, output_tokens: 2 },
};
const frames = [
  { candidates: [{ content: { parts: [{ text: "Hi." }] } }] },
  {
    candidates: [
      { content: { parts: [{ functionCall: { name: "read" } }] }, finishReason: "STOP" },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
  },
];
const message = {
  type: "message",
  role: "assistant",
  model: "claude-x",
  content: [
    { type: "text", text: "Hi." },
    { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 3, output_tokens: 2 },
};

test("an Anthropic stream that is called JSON is read as what it is", async () => {
  const last = await answered(anthropicClient, { status: 200, body: okStream, type: json });
  assert.ok(last.type === "end" && last.reply.stop.reason === "end_turn");
});

for (const [name, make, body, type] of [
  ["Anthropic, one document", anthropicClient, message, json],
  ["Anthropic, called a stream", anthropicClient, message, "text/event-stream"],
  ["Responses, one document", openAiResponsesClient, response, json],
  ["Responses, called a stream", openAiResponsesClient, response, "text/event-stream"],
  ["Gemini, a list of frames", geminiClient, frames, json],
] as const) {
  test(`a server that does not stream: ${name}`, async () => {
    const last = await answered(make, { status: 200, body, type });
    assert.ok(last.type === "end", JSON.stringify(last));
    assert.deepEqual(
      last.reply.blocks.map((block) => (block.type === "tool_use" ? block.complete : block.type)),
      ["text", true],
    );
    assert.equal(last.reply.stop.reason, "tool_use");
    assert.deepEqual(last.reply.usage, { input: 3, output: 2, cacheRead: 0, cacheWrite: 0 });
  });
}

for (const [make, status, body, kind] of [
  [openAiResponsesClient, 200, { ...response, status: "in_progress", output: [] }, "unknown"],
  [openAiResponsesClient, 200, { error: { message: "no streams" } }, "invalid_request"],
  [anthropicClient, 200, { ...message, stop_reason: null }, "unknown"],
  [anthropicClient, 200, { type: "error", error: { type: "api_error" } }, "server"],
  [anthropicClient, 200, '{"type":"message"', "truncated"],
  [openAiResponsesClient, 200, { object: "list" }, "invalid_request"],
  [openAiResponsesClient, 200, '{"object":"response"', "truncated"],
  [
    geminiClient,
    200,
    [{ error: { code: 503, message: "No.", status: "UNAVAILABLE" } }],
    "overloaded",
  ],
  [geminiClient, 200, [frames[0]], "truncated"],
  [geminiClient, 200, {}, "invalid_request"],
  [
    geminiClient,
    400,
    {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
        details: [{ reason: "API_KEY_INVALID", domain: "googleapis.com" }],
      },
    },
    "auth",
  ],
  [
    geminiClient,
    400,
    { error: { message: "Function call is missing a thought_signature in functionCall parts." } },
    "broken_history",
  ],
  [geminiClient, 503, { error: { message: "Busy.", status: "UNAVAILABLE" } }, "overloaded"],
  [geminiClient, 504, { error: { message: "Slow.", status: "DEADLINE_EXCEEDED" } }, "server"],
  [
    openAiResponsesClient,
    404,
    {
      error: {
        message:
          "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
        type: "invalid_request_error",
      },
    },
    "broken_history",
  ],
  [
    openAiResponsesClient,
    401,
    { error: { message: "Incorrect API key: sk-secret-key.", code: "invalid_api_key" } },
    "auth",
  ],
] as const) {
  test(`${make.name}: ${status} ${JSON.stringify(body).slice(0, 60)} is ${kind} R37`, async () => {
    const last = await answered(make, { status, body, type: json });
    const seen = last.type === "end" ? last.reply.stop.reason : last.failure.class;
    assert.equal(seen, kind, JSON.stringify(last));
    assert.ok(!JSON.stringify(last).includes("sk-secret-key"));
  });
}
