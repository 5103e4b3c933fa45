/**
 * How one provider speaks Chat Completions, as data: the wire has no branches for providers. Sources: the providers'
 * own references, 2026-11, and what the field has reported of them.
 */
export interface ChatDialect extends ChatQuirks {
  /** First part of its references, and owner of its opaque data. */
  readonly provider: string;
  /** Null: the user must say it. */
  readonly baseUrl: string | null;
  /** The usual variable for its key; null: it has none. */
  readonly keyVariable: string | null;
  readonly key: "needed" | "optional";
  /** Other hosts of the same provider; one with a dot before it stands for all below it. */
  readonly hosts?: readonly string[];
  /** What some of its models do differently, by their names; the first that fits counts. */
  readonly models?: readonly (Partial<ChatQuirks> & { readonly names: RegExp })[];
}

/** What servers of this wire do differently. */
export interface ChatQuirks {
  readonly keyHeader: "authorization" | "api-key";
  readonly systemRole: "system" | "developer";
  readonly outputLimit: "max_tokens" | "max_completion_tokens";
  /**
   * What of its thinking goes back: nothing; the text on turns with calls, in the field it came in; the same with ""
   * where a turn had none (without it such a turn is refused, field case W01); `reasoning_details` as they came.
   */
  readonly thinkingBack: "nothing" | "as_it_came" | "on_every_call" | "details";
  /** Are tokens of thinking part of `completion_tokens`, or counted beside them? */
  readonly reasoningTokens: "inside_output" | "beside_output";
  /** Ids of calls it takes from other providers. */
  readonly callIds: "any" | "nine_letters";
  /** Calls side by side are asked for where the provider's own default is one at a time. */
  readonly parallelCalls: "as_it_is" | "asked_for";
  /** `tool_choice: "none"` is understood; else it is left out and core runs no call. */
  readonly choiceNone: "understood" | "refused";
  /** `stream_options: {include_usage: true}` is understood. */
  readonly usageOption: "understood" | "refused";
  readonly images: "taken" | "refused";
  /** Every node of a tool's schema must have a type (field case W11). */
  readonly schemaNodes: "any" | "typed";
}

const usual = {
  key: "needed",
  keyHeader: "authorization",
  systemRole: "system",
  outputLimit: "max_tokens",
  thinkingBack: "as_it_came",
  reasoningTokens: "inside_output",
  callIds: "any",
  parallelCalls: "as_it_is",
  choiceNone: "understood",
  usageOption: "understood",
  images: "taken",
  schemaNodes: "any",
} as const;

/** Servers on this machine, at the ports they take by themselves. */
const local = { ...usual, keyVariable: null, key: "optional" } as const;

export const chatDialects: readonly ChatDialect[] = [
  {
    ...usual,
    provider: "openai-compatible",
    baseUrl: null,
    // Not OPENAI_API_KEY: that key is for another host.
    keyVariable: "OPENAI_COMPATIBLE_API_KEY",
    key: "optional",
    // Whoever serves them passes on what these models are asked for.
    models: [
      { names: /(^|\/)(gpt-[5-9]|o[1-9](-|$))/, outputLimit: "max_completion_tokens" },
      { names: /deepseek|kimi|glm/i, thinkingBack: "on_every_call" },
    ],
  },
  {
    ...usual,
    provider: "deepseek",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    // "Thinking mode": reasoning_content of turns with calls must be passed back, else 400.
    thinkingBack: "on_every_call",
    images: "refused",
  },
  {
    ...usual,
    provider: "qwen",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyVariable: "DASHSCOPE_API_KEY",
    hosts: ["dashscope.aliyuncs.com", "dashscope-us.aliyuncs.com"],
    // Its own default is one call at a time.
    parallelCalls: "asked_for",
  },
  {
    ...usual,
    provider: "moonshot",
    baseUrl: "https://api.moonshot.ai/v1",
    keyVariable: "MOONSHOT_API_KEY",
    hosts: ["api.moonshot.cn", "api.kimi.com"],
    // "thinking is enabled but reasoning_content is missing in assistant tool call message"
    thinkingBack: "on_every_call",
    schemaNodes: "typed",
  },
  {
    ...usual,
    provider: "zai",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    hosts: ["open.bigmodel.cn"],
    thinkingBack: "on_every_call",
    // `tool_choice` takes only `auto`; usage comes in the last chunk unasked.
    choiceNone: "refused",
    usageOption: "refused",
  },
  {
    ...usual,
    provider: "mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    // Unknown fields are refused; usage comes in the last chunk unasked.
    thinkingBack: "nothing",
    usageOption: "refused",
    // "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
    callIds: "nine_letters",
  },
  {
    ...usual,
    provider: "groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    outputLimit: "max_completion_tokens",
  },
  {
    ...usual,
    provider: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    thinkingBack: "details",
  },
  {
    ...usual,
    provider: "xai",
    baseUrl: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    outputLimit: "max_completion_tokens",
    thinkingBack: "nothing",
    // `total_tokens` is the sum of prompt, completion and reasoning tokens.
    reasoningTokens: "beside_output",
  },
  {
    ...usual,
    provider: "azure",
    baseUrl: null,
    keyVariable: "AZURE_OPENAI_API_KEY",
    hosts: [".openai.azure.com", ".services.ai.azure.com"],
    keyHeader: "api-key",
    systemRole: "developer",
    outputLimit: "max_completion_tokens",
    thinkingBack: "nothing",
  },
  { ...local, provider: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { ...local, provider: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1" },
  { ...local, provider: "llamacpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { ...local, provider: "vllm", baseUrl: "http://127.0.0.1:8000/v1" },
];

/**
 * The dialect of a provider, for one of its models when that is named; null for a provider that does not speak this
 * wire. A server nobody has named speaks the dialect of the provider at whose address it is.
 */
export function chatDialect(
  provider: string,
  about: { readonly model?: string; readonly baseUrl?: string } = {},
): ChatDialect | null {
  const named = chatDialects.find((dialect) => dialect.provider === provider);
  if (named === undefined) return null;
  const there = (provider === unnamed && dialectAt(about.baseUrl ?? "")) || named;
  const { names: _, ...quirks } =
    there.models?.find(({ names }) => names.test(about.model ?? "")) ?? {};
  return { ...there, provider, ...quirks };
}

const unnamed = "openai-compatible";

function dialectAt(baseUrl: string): ChatDialect | null {
  const host = URL.parse(baseUrl)?.host ?? "";
  const isAt = (known: string): boolean =>
    known.startsWith(".") ? host.endsWith(known) : host === known;
  return (
    chatDialects.find(({ baseUrl: own, hosts = [] }) => {
      const ownHost = own === null ? null : URL.parse(own)?.host;
      return [...hosts, ...(ownHost ? [ownHost] : [])].some(isAt);
    }) ?? null
  );
}
