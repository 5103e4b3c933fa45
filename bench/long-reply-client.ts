import { systemClock } from "#adapters/system";
import type { ReplyBlock } from "#core";
import type { ModelClient } from "#runtime";
import {
  anthropicClient,
  dialectFor,
  geminiClient,
  openAiChatClient,
  openAiResponsesClient,
} from "#testing";
import type { WireName } from "./long-reply.ts";

/** A client of a wire, for a server at `url`. */
export function clientOf(wire: WireName, url: string): ModelClient {
  const options = { apiKey: null, baseUrl: url, clock: systemClock() } as const;
  switch (wire) {
    case "anthropic":
      return anthropicClient(options);
    case "openai-chat": {
      const dialect = dialectFor("openai-compatible");
      if (dialect === null) throw new Error("the dialect of unknown servers is gone");
      return openAiChatClient({ ...options, dialect });
    }
    case "openai-responses":
      return openAiResponsesClient(options);
    case "gemini":
      return geminiClient(options);
    default:
      return wire satisfies never;
  }
}

/** Reads a reply to its end; `onText` is told how many characters of text have come. */
export async function readReply(
  client: ModelClient,
  onText: (characters: number) => void = () => {},
): Promise<readonly ReplyBlock[]> {
  let characters = 0;
  const { signal } = new AbortController();
  for await (const chunk of client.stream(request, { signal })) {
    if (chunk.type === "text") onText((characters += chunk.delta.length));
    if (chunk.type === "failure") throw new Error(chunk.failure.message);
    if (chunk.type === "end") return chunk.reply.blocks;
  }
  throw new Error("the stream had no end");
}

const request = {
  model: "bench/model",
  system: [],
  tools: [],
  toolChoice: "auto",
  messages: [{ role: "user", blocks: [{ type: "text", text: "Go." }], seq: 1 }],
  maxOutputTokens: 1_000_000,
} as const;
