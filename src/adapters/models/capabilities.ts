/**
 * What a model and whoever serves it can do, want and refuse. The wires ask this and never who the provider is; the
 * values stand in `catalog/providers.ts`. What is asked for is the usual: only what differs is written there.
 */
export interface Capabilities {
  /** `text`: the model has no calls of its own, so they are asked for and read as text. */
  readonly tools: "native" | "text";
  readonly images: "taken" | "refused";
  readonly keyHeader: "authorization" | "api-key" | "x-api-key" | "x-goog-api-key";
  readonly systemRole: "system" | "developer";
  readonly outputLimit: "max_tokens" | "max_completion_tokens";
  /**
   * What of its thinking goes back: nothing; the text on turns with calls, in the field it came in; the same with ""
   * where a turn had none (without it such a turn is refused, field case W01); `reasoning_details` as they came.
   */
  readonly thinkingBack: "nothing" | "as_it_came" | "on_every_call" | "details";
  /**
   * How it is told how hard to think; `refused`: it does not think, or takes no word about it. A form that the wire does
   * not know counts as `refused`.
   * On Chat: `reasoning_effort` to `chat_template`. On Responses: `reasoning_effort`.
   * On Anthropic and Gemini: `budget`, a number of tokens. On Anthropic: `adaptive`, as it sees fit, more or less by its
   * effort; `bound`, the same, signed over all before it. On Gemini: `level`, one of three; `two_levels`.
   * With `_always` at its end it cannot stop thinking.
   */
  readonly thinking:
    | "refused"
    | "reasoning_effort"
    | "reasoning"
    | "thinking_type"
    | "type_and_effort"
    | "enable_thinking"
    | "chat_template"
    | "budget"
    | "budget_always"
    | "adaptive"
    | "adaptive_always"
    | "bound"
    | "level"
    | "two_levels";
  /** It can be held to a JSON Schema while tools are on offer; else the prompt alone asks for it. */
  readonly answerSchema: "refused" | "beside_tools";
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
  /** Every node of a tool's schema must have a type (field case W11). */
  readonly schemaNodes: "any" | "typed";
  /** The prefix is cached by itself, or where the request says so. */
  readonly cacheMarks: "by_itself" | "asked_for";
}

/** A server that does what most do. */
export const usualCapabilities: Capabilities = {
  tools: "native",
  images: "taken",
  keyHeader: "authorization",
  systemRole: "system",
  outputLimit: "max_tokens",
  thinking: "reasoning_effort",
  answerSchema: "refused",
  thinkingBack: "as_it_came",
  reasoningTokens: "inside_output",
  callIds: "any",
  parallelCalls: "as_it_is",
  choiceNone: "understood",
  usageOption: "understood",
  schemaNodes: "any",
  cacheMarks: "by_itself",
};

/** Every value there is, for reading settings. */
export const capabilityValues: {
  readonly [Name in keyof Capabilities]: readonly Capabilities[Name][];
} = {
  tools: ["native", "text"],
  images: ["taken", "refused"],
  keyHeader: ["authorization", "api-key", "x-api-key", "x-goog-api-key"],
  systemRole: ["system", "developer"],
  outputLimit: ["max_tokens", "max_completion_tokens"],
  thinking: [
    "refused",
    "reasoning_effort",
    "reasoning",
    "thinking_type",
    "type_and_effort",
    "enable_thinking",
    "chat_template",
    "budget",
    "budget_always",
    "adaptive",
    "adaptive_always",
    "bound",
    "level",
    "two_levels",
  ],
  answerSchema: ["refused", "beside_tools"],
  thinkingBack: ["nothing", "as_it_came", "on_every_call", "details"],
  reasoningTokens: ["inside_output", "beside_output"],
  callIds: ["any", "nine_letters"],
  parallelCalls: ["as_it_is", "asked_for"],
  choiceNone: ["understood", "refused"],
  usageOption: ["understood", "refused"],
  schemaNodes: ["any", "typed"],
  cacheMarks: ["by_itself", "asked_for"],
};

const names = Object.keys(capabilityValues);

/** Those of some facts that are capabilities. */
export function capabilitiesIn(facts: Partial<Capabilities>): Partial<Capabilities> {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => names.includes(name)));
}

export type Wire = "anthropic" | "chat" | "responses" | "gemini";

/** A provider: where it is, how one gets in, which wire it speaks, and how. */
export interface Provider extends Capabilities {
  /** First part of its references, and owner of its opaque data. */
  readonly provider: string;
  readonly wire: Wire;
  /** `here`: a server that people run themselves, found without being named. */
  readonly place: "remote" | "here";
  /** Null: the user must say it. */
  readonly baseUrl: string | null;
  /** The usual variables for its key, the one to name first; none: it has no key. */
  readonly keyVariables: readonly string[];
  readonly key: "needed" | "optional";
  /** What a key alone can ask for, costing nothing, when that is not the list of models; behind the base URL. */
  readonly keyPath?: string;
  /** Other hosts of the same provider; one with a dot before it stands for all below it. */
  readonly hosts?: readonly string[];
  /** What some of its models do differently, by their names; the first that fits counts. */
  readonly models?: readonly ModelDifference[];
}

export type ModelDifference = Partial<Capabilities> & { readonly names: RegExp };

/** A provider as one of its models needs it. */
export type Dialect = Omit<Provider, "models">;
