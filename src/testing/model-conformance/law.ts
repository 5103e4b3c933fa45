import assert from "node:assert/strict";
import {
  callId,
  isToolUse,
  requestId,
  text,
  type AssistantBlock,
  type ReplyBlock,
  type ToolResult,
} from "#core";
import type { ModelChunk, ModelClient, ModelRequest, Reply } from "#runtime";
import type { ScriptedTurn } from "#adapters/models/scripted";
import type { FakeClock } from "../fake-clock.ts";

/**
 * `say_cache_writes`: usage does not tell tokens written to a cache. `break_arguments`: arguments are values and cannot be
 * anything but JSON. `give_ids`: calls have no ids.
 */
export type Inability = "say_cache_writes" | "break_arguments" | "give_ids";

/** A client whose server answers from these turns; which one, the replies in the request say. */
export interface ModelUnderTest {
  readonly client: ModelClient;
  /** Reference that requests for it bear. */
  readonly model: string;
  readonly clock: FakeClock;
  /** What its wire has no words for, so that no law asks for it. */
  readonly cannot?: readonly Inability[];
  readonly dispose?: () => Promise<void>;
}

export type MakeModel = (
  turns: readonly ScriptedTurn[],
  clock: FakeClock,
) => Promise<ModelUnderTest>;

/** One law: the turns its server has, and what must then hold. */
export interface Law {
  readonly says: string;
  readonly turns: readonly ScriptedTurn[];
  readonly check: (under: ModelUnderTest) => Promise<void>;
}

export type Last = Extract<ModelChunk, { type: "end" | "failure" }>;

/** A first request of a conversation. */
export function firstRequest(model: string): ModelRequest {
  return {
    model,
    system: [{ name: "role", text: "You are a test.", stable: true }],
    tools: [
      {
        name: "read",
        description: "Reads a file.",
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
      },
    ],
    toolChoice: "auto",
    messages: [{ role: "user", blocks: [text("Go.")], seq: 1 }],
    maxOutputTokens: 4096,
  };
}

/** The request after a reply: its calls answered with "ok", or the user going on. */
export function nextRequest(request: ModelRequest, reply: Reply): ModelRequest {
  const seq = request.messages.length + 1;
  let calls = 0;
  const blocks = reply.blocks.map((block): AssistantBlock =>
    block.type === "tool_use" ? { ...block, call: callId(requestId(seq), calls++) } : block,
  );
  const results = blocks.filter(isToolUse).map(({ call }): ToolResult => {
    return { type: "tool_result", call, content: [text("ok")], isError: false };
  });
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: "assistant", model: request.model, blocks, seq, partial: false },
      { role: "user", blocks: results.length > 0 ? results : [text("And then?")], seq: seq + 1 },
    ],
  };
}

/** Blocks without what only their provider understands. */
export const plainBlocks = (blocks: readonly ReplyBlock[]): readonly object[] =>
  blocks.map((block) =>
    Object.fromEntries(Object.entries(block).filter(([key]) => key !== "opaque")),
  );

export const can = ({ cannot }: ModelUnderTest, what: Inability): boolean =>
  cannot?.includes(what) !== true;

/** All chunks of one request. */
export async function chunksOf(
  { client }: ModelUnderTest,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of client.stream(request, { signal })) chunks.push(chunk);
  return chunks;
}

/** The one last chunk. */
export async function lastOf(
  under: ModelUnderTest,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<Last> {
  return lastIn(await chunksOf(under, request, signal));
}

export function lastIn(chunks: readonly ModelChunk[]): Last {
  const ends = chunks.filter(
    (chunk): chunk is Last => chunk.type === "end" || chunk.type === "failure",
  );
  assert.equal(ends.length, 1, "a reply has exactly one end");
  const last = chunks.at(-1);
  assert.ok(last?.type === "end" || last?.type === "failure", "the end is the last chunk");
  return last;
}

export async function replyOf(under: ModelUnderTest, request: ModelRequest): Promise<Reply> {
  const last = await lastOf(under, request);
  assert.equal(last.type, "end", JSON.stringify(last));
  assert.ok(last.type === "end");
  return last.reply;
}
