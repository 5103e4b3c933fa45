import type { Json, JsonObject, ReplyBlock, Usage, WireCall } from "#core";
import type { Clock, ModelClient } from "#runtime";
import {
  anthropicClient,
  dialectFor,
  geminiClient,
  openAiChatClient,
  openAiResponsesClient,
} from "#testing";

/** What the harness must know of a wire. */
export interface Wire {
  /** As the fixtures call it. */
  readonly name: string;
  /** Reference of the model that is asked. */
  readonly model: string;
  client(url: string, clock: Clock): ModelClient;
  /** Our usage from the raw numbers of the fixture; counts it does not name are 0. */
  usageOf(raw: Readonly<Record<string, number>>): Usage;
  /** What its fixtures say of blocks, beyond what all say. */
  seenIn?(blocks: readonly ReplyBlock[]): JsonObject;
  /** The same of a call, and what stands in place of its arguments. */
  seenOf?(call: WireCall): { readonly also?: JsonObject; readonly instead?: JsonObject };
  /** A recording that nobody has named bears the marks of this wire. */
  isSpokenIn(sse: Buffer): boolean;
  /** The wire itself says where a call ends. */
  readonly marksCallEnds: boolean;
  /** The beginning of a stream in which its stop reason, or its end mark, has come. */
  holdsStop(beginning: string): boolean;
  holdsError(beginning: string): boolean;
}

/** The first events tell: a text may hold any word. */
const begins =
  (mark: RegExp) =>
  (sse: Buffer): boolean =>
    mark.test(sse.subarray(0, 2000).toString("latin1"));

export const wires: readonly Wire[] = [
  {
    name: "anthropic",
    model: "anthropic/asked-for",
    isSpokenIn: begins(/"message_start"/),
    marksCallEnds: true,
    client: (url, clock) => anthropicClient({ apiKey: null, baseUrl: url, clock }),
    usageOf: (raw) => ({
      input: raw["input_tokens"] ?? 0,
      output: raw["output_tokens"] ?? 0,
      cacheRead: raw["cache_read_input_tokens"] ?? 0,
      cacheWrite: raw["cache_creation_input_tokens"] ?? 0,
    }),
    holdsStop: (text) => /"stop_reason":"[^"]+"/.test(text),
    holdsError: (text) => text.includes('"type":"error"'),
  },
  {
    name: "openai-chat",
    model: "openai-compatible/asked-for",
    isSpokenIn: begins(/"choices"/),
    marksCallEnds: false,
    client: (url, clock) =>
      openAiChatClient({ apiKey: null, baseUrl: `${url}/v1`, clock, dialect: compatible }),
    usageOf: (raw) => {
      const cacheRead = raw["cached_tokens"] ?? 0;
      const input = (raw["prompt_tokens"] ?? 0) - cacheRead;
      return { input, output: raw["completion_tokens"] ?? 0, cacheRead, cacheWrite: 0 };
    },
    holdsStop: (text) => /"finish_reason": ?"[^"]+"|\[DONE\]/.test(text),
    holdsError: (text) => /"error": ?\{/.test(text),
  },
  {
    name: "openai-responses",
    model: "openai/asked-for",
    isSpokenIn: begins(/"response.created"/),
    marksCallEnds: true,
    client: (url, clock) => openAiResponsesClient({ apiKey: null, baseUrl: url, clock }),
    usageOf: (raw) => {
      const cacheRead = raw["cached_tokens"] ?? 0;
      const cacheWrite = raw["cache_write_tokens"] ?? 0;
      const input = (raw["input_tokens"] ?? 0) - cacheRead - cacheWrite;
      return { input, output: raw["output_tokens"] ?? 0, cacheRead, cacheWrite };
    },
    seenIn: (blocks) => ({
      itemTypes: itemsIn(blocks).map(({ type }) => type),
      encryptedReasoningItems: blocks.filter(
        (block) =>
          block.type === "thinking" &&
          typeof fieldOf(block.opaque?.data, "encrypted_content") === "string",
      ).length,
    }),
    seenOf: ({ opaque, input }) => ({
      also: { itemId: fieldOf(opaque?.data, "id") ?? null },
      ...(fieldOf(opaque?.data, "type") === "custom_tool_call"
        ? { instead: { inputText: input["input"] ?? "", freeform: true } }
        : {}),
    }),
    holdsStop: (text) => /"type": ?"response\.(completed|incomplete)"/.test(text),
    holdsError: (text) => /"type": ?"(error|response\.failed)"/.test(text),
  },
  {
    name: "gemini",
    model: "gemini/asked-for",
    isSpokenIn: begins(/"candidates"/),
    marksCallEnds: true,
    client: (url, clock) => geminiClient({ apiKey: null, baseUrl: url, clock }),
    usageOf: (raw) => {
      const cacheRead = raw["cachedContentTokenCount"] ?? 0;
      const output = (raw["candidatesTokenCount"] ?? 0) + (raw["thoughtsTokenCount"] ?? 0);
      return {
        input: (raw["promptTokenCount"] ?? 0) - cacheRead,
        output,
        cacheRead,
        cacheWrite: 0,
      };
    },
    seenIn: (blocks) => ({ thoughtSignatures: blocks.filter(isSigned).length }),
    seenOf: (call) => (isSigned(call) ? { also: { signed: true } } : {}),
    holdsStop: (text) => /"finishReason": ?"[^"]+"/.test(text),
    holdsError: (text) => /"error": ?\{|"blockReason"/.test(text),
  },
];

/** Texts of one message are one item. */
function itemsIn(blocks: readonly ReplyBlock[]): readonly { readonly type: Json }[] {
  const items = blocks.map((block) => {
    const data = block.type === "opaque" ? block.data : block.opaque?.data;
    const type = fieldOf(data, "type") ?? itemTypes[block.type] ?? "";
    return { type, id: fieldOf(data, "id") };
  });
  return items.filter(({ type, id }, index) => {
    const before = items[index - 1];
    return type !== "message" || id === undefined || before?.id !== id;
  });
}

const itemTypes: Readonly<Record<string, string>> = {
  text: "message",
  thinking: "reasoning",
  tool_use: "function_call",
};

const isSigned = (block: ReplyBlock): boolean => {
  const data = block.type === "opaque" ? block.data : block.opaque?.data;
  return typeof fieldOf(data, "thoughtSignature") === "string";
};

const found = dialectFor("openai-compatible");
if (found === null) throw new Error("the dialect of unknown servers is gone");
const compatible = found;

/** A field of opaque data. */
export const fieldOf = (data: Json | undefined, name: string): Json | undefined =>
  typeof data === "object" && data !== null && !Array.isArray(data)
    ? (data as JsonObject)[name]
    : undefined;
