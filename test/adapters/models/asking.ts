import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelChunk, ModelClient, ModelRequest } from "#runtime";
import { anthropicClient, fakeClock, type AnthropicOptions, type FakeClock } from "#testing";

export const request: ModelRequest = {
  model: "anthropic/claude-test",
  system: [],
  tools: [],
  toolChoice: "auto",
  messages: [{ role: "user", blocks: [{ type: "text", text: "Go." }], seq: 1 }],
  maxOutputTokens: 1000,
};

export type Last = Extract<ModelChunk, { type: "end" | "failure" }>;

/** The one last chunk of a request. */
export async function ask(
  client: ModelClient,
  options: { readonly request?: ModelRequest; readonly signal?: AbortSignal } = {},
): Promise<Last> {
  const signal = options.signal ?? new AbortController().signal;
  let last: ModelChunk | undefined;
  for await (const chunk of client.stream(options.request ?? request, { signal })) last = chunk;
  if (last?.type === "end" || last?.type === "failure") return last;
  throw new Error("the stream had no end");
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly clock: FakeClock;
  client(options?: Partial<AnthropicOptions>): ModelClient;
}

/** A server that answers as it is told, on this machine. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const clock = fakeClock();
  return {
    url,
    clock,
    client: (options) =>
      anthropicClient({ apiKey: "sk-test-key-of-nobody", baseUrl: url, clock, ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** A whole reply of one word, as bytes of the wire. */
export const okStream: string = [
  frame({
    type: "message_start",
    message: { id: "m", model: "claude-test", usage: { input_tokens: 1, output_tokens: 1 } },
  }),
  frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ok" } }),
  frame({ type: "content_block_stop", index: 0 }),
  frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
  frame({ type: "message_stop" }),
].join("");

export const eventStream = { "content-type": "text/event-stream" } as const;
