import assert from "node:assert/strict";
import type { JsonObject, WireCall } from "#core";
import type { ModelChunk, ModelRequest, Reply } from "#runtime";
import { dialectFor, openAiChatClient, type Dialect } from "#testing";
import { eventStream, request as anyRequest, serve, type Last } from "../asking.ts";

export const request: ModelRequest = { ...anyRequest, model: "openai-compatible/test" };

export function dialectOf(provider: string): Dialect {
  const dialect = dialectFor(provider);
  assert.ok(dialect !== null, provider);
  return dialect;
}

export type Frame = JsonObject | string;

export const stream = (frames: readonly Frame[]): string =>
  frames
    .map((frame) => `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`)
    .join("");

/** A chunk of the stream: what its only choice says. */
export const chunk = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: "c",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});

export const finish = (reason: unknown): JsonObject =>
  chunk({}, { finish_reason: reason as string });

export const usage = (counts: JsonObject): JsonObject => ({ choices: [], usage: counts });

export const calls = (...entries: readonly JsonObject[]): JsonObject =>
  chunk({ tool_calls: entries });

/** One entry of `tool_calls`; parts that are undefined are left out. */
export function entry(parts: {
  readonly index?: number;
  readonly id?: string | null;
  readonly name?: string;
  readonly args?: JsonObject | string | number | null;
}): JsonObject {
  const { index, id, name, args } = parts;
  return JSON.parse(
    JSON.stringify({ index, id, type: "function", function: { name, arguments: args } }),
  ) as JsonObject;
}

interface Answer {
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  readonly provider?: string;
  readonly request?: Partial<ModelRequest>;
}

/** All chunks of one answer, read over a socket. */
export async function readAll(answer: Answer): Promise<readonly ModelChunk[]> {
  const headers = { ...eventStream, "content-type": answer.contentType ?? "text/event-stream" };
  await using server = await serve((_, response) => {
    response.writeHead(200, headers);
    response.end(answer.body);
  });
  const client = openAiChatClient({
    apiKey: null,
    baseUrl: `${server.url}/v1`,
    clock: server.clock,
    dialect: dialectOf(answer.provider ?? "openai-compatible"),
  });
  const { signal } = new AbortController();
  const chunks: ModelChunk[] = [];
  for await (const one of client.stream({ ...request, ...answer.request }, { signal })) {
    chunks.push(one);
  }
  return chunks;
}

export async function lastOf(answer: Answer): Promise<Last> {
  const last = (await readAll(answer)).at(-1);
  assert.ok(last?.type === "end" || last?.type === "failure");
  return last;
}

/** The reply in frames that end with their end mark. */
export async function replyTo(
  frames: readonly Frame[],
  more: Omit<Answer, "body"> = {},
): Promise<Reply> {
  const last = await lastOf({ body: stream([...frames, "[DONE]"]), ...more });
  assert.ok(last.type === "end", JSON.stringify(last));
  return last.reply;
}

export async function failureTo(
  frames: readonly Frame[],
): Promise<Extract<Last, { type: "failure" }>> {
  const last = await lastOf({ body: stream(frames) });
  assert.ok(last.type === "failure", JSON.stringify(last));
  return last;
}

export const callsOf = (reply: Pick<Reply, "blocks">): readonly WireCall[] =>
  reply.blocks.filter((block) => block.type === "tool_use");

/** Id, tool and arguments of each call, the arguments as text where they cannot be read. */
export const brief = (reply: Pick<Reply, "blocks">): readonly unknown[] =>
  callsOf(reply).map(({ wireId, tool, input, inputText }) => [wireId, tool, inputText ?? input]);
