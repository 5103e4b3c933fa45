import assert from "node:assert/strict";
import { test } from "node:test";
import { callId, requestId, text, type Image, type Message } from "#core";
import type { ModelChunk, ModelClient, ModelRequest } from "#runtime";
import { withoutImages } from "../../../src/adapters/models/without-images.ts";

const image: Image = { type: "image", mediaType: "image/png", data: "AAAA" };
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const stop = { reason: "end_turn", raw: null } as const;
const reply = { model: "m", blocks: [text("ok")], stop, usage, warnings: ["odd"] };

const conversation: readonly Message[] = [
  { role: "user", blocks: [text("see"), image], seq: 1 },
  { role: "assistant", model: "a/b", blocks: [text("I see")], seq: 2, partial: false },
  {
    role: "user",
    blocks: [
      {
        type: "tool_result",
        call: callId(requestId(1), 0),
        content: [text("a.png"), image],
        isError: false,
      },
    ],
    seq: 3,
  },
];
const plain: Message = { role: "user", blocks: [text("go")], seq: 4 };

const asked = (messages: readonly Message[]): ModelRequest => ({
  model: "a/blind",
  system: [],
  tools: [],
  toolChoice: "auto",
  messages,
  maxOutputTokens: 10,
});

/** What the wire got, and what it was made ready for. */
function wire(): { readonly client: ModelClient; readonly got: ModelRequest[] } {
  const got: ModelRequest[] = [];
  const client: ModelClient = {
    prepare: (request) => void got.push(request),
    async *stream(request) {
      got.push(request);
      yield { type: "text", delta: "ok" };
      yield { type: "end", reply };
    },
  };
  return { client, got };
}

async function all(client: ModelClient, request: ModelRequest): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  const { signal } = new AbortController();
  for await (const chunk of client.stream(request, { signal })) chunks.push(chunk);
  return chunks;
}

test("a note stands for each image, and a message is the same object in every request", async () => {
  const { client, got } = wire();
  const blind = withoutImages(client, "a/blind");
  blind.prepare?.(asked(conversation));
  await all(blind, asked(conversation));
  await all(blind, asked([...conversation, plain]));
  assert.ok(!JSON.stringify(got).includes("AAAA"));
  assert.equal(JSON.stringify(got[1]).split("An image stands here").length, 3);
  for (const index of [0, 1, 2]) {
    assert.equal(got[1]?.messages[index], got[0]?.messages[index]);
    assert.equal(got[2]?.messages[index], got[0]?.messages[index]);
  }
  assert.equal(got[2]?.messages[1], conversation[1]);
});

test("the user is told once; a request without images passes as it is", async () => {
  const { client, got } = wire();
  const blind = withoutImages(client, "a/blind");
  const request = asked([plain]);
  assert.deepEqual(await all(blind, request), await all(client, request));
  assert.equal(got[0], request);
  const warnings = async (): Promise<readonly string[]> =>
    (await all(blind, asked(conversation))).flatMap((chunk) =>
      chunk.type === "end" ? chunk.reply.warnings : [],
    );
  assert.deepEqual(await warnings(), [
    "odd",
    "a/blind takes no images: it gets a note in the place of each.",
  ]);
  assert.deepEqual(await warnings(), ["odd"]);
});
