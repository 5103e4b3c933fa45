import type { Json, JsonObject, Usage } from "#core";
import type { Clock, ModelClient } from "#runtime";
import { anthropicClient, chatDialect, openAiChatClient } from "#testing";

/** What the harness must know of a wire. */
export interface Wire {
  /** As the fixtures call it. */
  readonly name: string;
  /** Reference of the model that is asked. */
  readonly model: string;
  client(url: string, clock: Clock): ModelClient;
  /** Our usage from the raw numbers of the fixture; counts it does not name are 0. */
  usageOf(raw: Readonly<Record<string, number>>): Usage;
  /** The wire itself says where a call ends. */
  readonly marksCallEnds: boolean;
  /** The beginning of a stream in which its stop reason, or its end mark, has come. */
  holdsStop(beginning: string): boolean;
  holdsError(beginning: string): boolean;
}

export const wires: readonly Wire[] = [
  {
    name: "anthropic",
    model: "anthropic/asked-for",
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
];

const found = chatDialect("openai-compatible");
if (found === null) throw new Error("the dialect of unknown servers is gone");
const compatible = found;

/** A field of opaque data. */
export const fieldOf = (data: Json | undefined, name: string): Json | undefined =>
  typeof data === "object" && data !== null && !Array.isArray(data)
    ? (data as JsonObject)[name]
    : undefined;
