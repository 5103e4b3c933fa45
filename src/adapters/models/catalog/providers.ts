// Over 250 lines: one table of data, one row a provider.
import {
  usualCapabilities,
  type Capabilities,
  type Dialect,
  type ModelDifference,
  type Provider,
} from "../capabilities.ts";

const usual = {
  ...usualCapabilities,
  wire: "chat",
  place: "remote",
  key: "needed",
} as const;

/** Servers on this machine, at the ports they take by themselves. */
const here = { ...usual, place: "here", keyVariables: [], key: "optional" } as const;

/** OpenAI's models without reasoning. */
const withoutThoughts = /^(?:gpt-3|gpt-4|chatgpt-|gpt-5(?:\.\d)?-chat)/;

/** Whoever serves these models, this is how they are. The first that fits counts. */
const families: readonly ModelDifference[] = [
  // Text is all they read. Sources: the models' own cards, 2026-11.
  {
    names:
      /deepseek|qwen3-coder|gpt-oss|codestral|devstral-2|kimi-k2(?!\.[5-9])|glm-(?!.*v(?![a-z]))|minimax-m|grok-code|llama-3\.3/i,
    images: "refused",
  },
];

/**
 * Every provider this version can speak to, the scripted model apart, in the order they are shown. Sources: the
 * providers' own references, 2026-11, and what the field has reported of them.
 */
export const providers: readonly Provider[] = [
  {
    ...usual,
    wire: "anthropic",
    provider: "anthropic",
    baseUrl: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY"],
    keyHeader: "x-api-key",
    cacheMarks: "asked_for",
    thinking: "budget",
    // Migration guides of the models, 2026-09.
    models: [
      { names: /^claude-(?:2|instant|3-(?:opus|sonnet|haiku|5))/, thinking: "refused" },
      {
        names: /^claude-(?:(?:fable|mythos)-5-[1-9]|[a-z]+-5-[5-9]|[a-z]+-[6-9])(?!\d)/,
        thinking: "bound",
        answerSchema: "beside_tools",
      },
      {
        names: /^claude-(?:fable|mythos)-5(?!\d)/,
        thinking: "adaptive_always",
        answerSchema: "beside_tools",
      },
      {
        names: /^claude-[a-z]+-(?:4-[7-9]|5)(?!\d)/,
        thinking: "adaptive",
        answerSchema: "beside_tools",
      },
      {
        names: /^claude-(?:opus-4-[1-6]|(?:sonnet|haiku)-4-[56])(?!\d)/,
        answerSchema: "beside_tools",
      },
    ],
  },
  {
    ...usual,
    wire: "responses",
    provider: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    answerSchema: "beside_tools",
    models: [
      { names: /^(?:gpt-3|gpt-4(?:-|$)|chatgpt-)/, thinking: "refused", answerSchema: "refused" },
      { names: withoutThoughts, thinking: "refused" },
    ],
  },
  {
    ...usual,
    wire: "gemini",
    provider: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyHeader: "x-goog-api-key",
    // "Thinking", Gemini API documentation, 2026-11.
    thinking: "level",
    models: [
      { names: /^(?:models\/)?(?:gemini-(?:1|2\.0)|gemma|learnlm)/, thinking: "refused" },
      { names: /^(?:models\/)?gemini-2\.5-pro/, thinking: "budget_always" },
      { names: /^(?:models\/)?gemini-2\.5/, thinking: "budget" },
      // Before 3: "Function calling with a response mime type: 'application/json' is unsupported".
      {
        names: /^(?:models\/)?gemini-3-pro/,
        thinking: "two_levels",
        answerSchema: "beside_tools",
      },
      { names: /^(?:models\/)?gemini-[3-9]/, answerSchema: "beside_tools" },
    ],
  },
  {
    ...usual,
    provider: "openai-compatible",
    baseUrl: null,
    // Not OPENAI_API_KEY: that key is for another host.
    keyVariables: ["OPENAI_COMPATIBLE_API_KEY"],
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
    keyVariables: ["DEEPSEEK_API_KEY"],
    // "Thinking mode": reasoning_content of turns with calls must be passed back, else 400.
    thinkingBack: "on_every_call",
    thinking: "type_and_effort",
    images: "refused",
  },
  {
    ...usual,
    provider: "qwen",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyVariables: ["DASHSCOPE_API_KEY"],
    hosts: ["dashscope.aliyuncs.com", "dashscope-us.aliyuncs.com"],
    // Its own default is one call at a time.
    parallelCalls: "asked_for",
    thinking: "enable_thinking",
    models: [{ names: /coder|instruct/, thinking: "refused" }],
  },
  {
    ...usual,
    provider: "moonshot",
    baseUrl: "https://api.moonshot.ai/v1",
    keyVariables: ["MOONSHOT_API_KEY"],
    hosts: ["api.moonshot.cn", "api.kimi.com"],
    // "thinking is enabled but reasoning_content is missing in assistant tool call message"
    thinkingBack: "on_every_call",
    schemaNodes: "typed",
    thinking: "thinking_type",
    models: [{ names: /^(?:kimi-k2(?!\.[5-9])|moonshot-v1)/, thinking: "refused" }],
  },
  {
    ...usual,
    provider: "zai",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyVariables: ["ZAI_API_KEY"],
    hosts: ["open.bigmodel.cn"],
    thinkingBack: "on_every_call",
    // `tool_choice` takes only `auto`; usage comes in the last chunk unasked.
    choiceNone: "refused",
    usageOption: "refused",
    thinking: "thinking_type",
  },
  {
    ...usual,
    provider: "mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariables: ["MISTRAL_API_KEY"],
    // Unknown fields are refused; usage comes in the last chunk unasked.
    thinkingBack: "nothing",
    usageOption: "refused",
    thinking: "refused",
    // "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
    callIds: "nine_letters",
  },
  {
    ...usual,
    provider: "groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariables: ["GROQ_API_KEY"],
    outputLimit: "max_completion_tokens",
    // Each family has words of its own; those of gpt-oss are the usual ones.
    thinking: "refused",
    models: [{ names: /gpt-oss/, thinking: "reasoning_effort" }],
  },
  {
    ...usual,
    provider: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    // Its list of models is open to everybody.
    keyPath: "/key",
    thinkingBack: "details",
    thinking: "reasoning",
    // The only models there that cache nothing unless they are asked to ("Prompt caching", OpenRouter documentation).
    models: [{ names: /^~?anthropic\//, cacheMarks: "asked_for" }],
  },
  {
    ...usual,
    provider: "xai",
    baseUrl: "https://api.x.ai/v1",
    keyVariables: ["XAI_API_KEY"],
    outputLimit: "max_completion_tokens",
    thinkingBack: "nothing",
    // "Model grok-4 does not support parameter reasoningEffort"
    thinking: "refused",
    models: [{ names: /^grok-(?:3-mini|4\.[3-9](?!\d)|latest)/, thinking: "reasoning_effort" }],
    // `total_tokens` is the sum of prompt, completion and reasoning tokens.
    reasoningTokens: "beside_output",
  },
  {
    ...usual,
    provider: "azure",
    baseUrl: null,
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    hosts: [".openai.azure.com", ".services.ai.azure.com"],
    keyHeader: "api-key",
    systemRole: "developer",
    outputLimit: "max_completion_tokens",
    thinkingBack: "nothing",
    models: [{ names: withoutThoughts, thinking: "refused" }],
  },
  {
    ...here,
    provider: "ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    // Not marked "tools" in its library: requests with tools are answered "… does not support tools", 400.
    models: [
      {
        names:
          /^(gemma[23]?|phi3|phi4|llama2|llama3|codellama|codegemma|deepseek-coder(-v2)?|starcoder2?|vicuna)(:|$)/,
        tools: "text",
      },
    ],
  },
  { ...here, provider: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1" },
  {
    ...here,
    provider: "llamacpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    thinking: "chat_template",
  },
  { ...here, provider: "vllm", baseUrl: "http://127.0.0.1:8000/v1", thinking: "chat_template" },
];

/** Null for a provider that is not known. */
export const providerNamed = (name: string): Provider | null =>
  providers.find(({ provider }) => provider === name) ?? null;

/**
 * A provider as one of its models needs it; null for a provider nobody knows. A server nobody has named is spoken to
 * as the provider is at whose address it is.
 */
export function dialectFor(
  provider: string,
  about: { readonly model?: string; readonly baseUrl?: string } = {},
): Dialect | null {
  const named = providerNamed(provider);
  if (named === null) return null;
  const there = (provider === unnamed && providerAt(about.baseUrl ?? "")) || named;
  const { models, ...dialect } = there;
  return {
    ...dialect,
    provider,
    ...differenceIn(families, about.model),
    ...differenceIn(models, about.model),
  };
}

/** How one of its models is told how hard to think, where nobody has said otherwise. */
export const thinkingForm = (provider: string, model: string): Capabilities["thinking"] =>
  dialectFor(provider, { model })?.thinking ?? "refused";

const unnamed = "openai-compatible";

function differenceIn(
  list: readonly ModelDifference[] = [],
  model: string = "",
): Partial<Capabilities> {
  const { names: _, ...difference } = list.find(({ names }) => names.test(model)) ?? {};
  return difference;
}

function providerAt(baseUrl: string): Provider | null {
  const host = URL.parse(baseUrl)?.host ?? "";
  const isAt = (known: string): boolean =>
    known.startsWith(".") ? host.endsWith(known) : host === known;
  return (
    providers.find(({ wire, baseUrl: own, hosts = [] }) => {
      const ownHost = own === null ? null : URL.parse(own)?.host;
      return wire === "chat" && [...hosts, ...(ownHost ? [ownHost] : [])].some(isAt);
    }) ?? null
  );
}
