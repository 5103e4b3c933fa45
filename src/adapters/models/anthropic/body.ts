import type { JsonObject } from "#core";
import type { ModelRequest, Section, ToolSpec } from "#runtime";
import { keptConversations } from "../shared/kept-conversations.ts";
import { modelName, orderedTools, saidSections } from "../shared/outgoing.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import { thinkingOf } from "./thinking.ts";
import { cacheMark, conversation, type Conversation } from "./conversation.ts";

export interface BodyOptions {
  /** Tokens the model may think with; null = as the model does by itself. */
  readonly thinkingBudgetTokens: number | null;
  /** The request goes to the provider itself, which knows more than servers that only speak its wire. */
  readonly isOwnHost: boolean;
}

export interface Body {
  /** In order. */
  readonly parts: readonly Uint8Array[];
  /** Value of the `anthropic-beta` header the body needs; null for none. */
  readonly beta: string | null;
}

/**
 * Builds request bodies. Keys stand in the order model, system, tools, messages, rest: each request of a conversation
 * begins with the bytes of the one before, up to the cache marks (requirement R14).
 */
export function bodyBuilder(options: BodyOptions): (request: ModelRequest) => Body {
  const follow = keptConversations(conversation);

  return (request) => {
    const talk = follow(request);
    const model = modelName(request.model);
    const maxTokens = Math.max(1, Math.floor(request.maxOutputTokens));
    const thinking = thinkingOf(model, {
      budgetTokens: options.thinkingBudgetTokens,
      maxTokens,
      isAllowed: talk.allowsThinking,
      isOwnHost: options.isOwnHost,
    });
    const tools = toolsOf(request, talk);
    const hasStableSystem = saidSections(request.system).some((section) => section.stable);
    const head = [
      `"model":${JSON.stringify(model)}`,
      ...systemPart(request.system),
      ...toolsPart(tools, hasStableSystem),
    ].join(",");
    const rest = {
      max_tokens: maxTokens,
      ...toolChoice(request, tools),
      ...thinking.body,
      stream: true,
    };
    const parts = [
      Buffer.from(`{${head},"messages":[`),
      talk.finished,
      Buffer.from(`${talk.tail()}],${JSON.stringify(rest).slice(1)}`),
    ];
    return { parts, beta: thinking.beta };
  };
}

/** What stays the same comes first, with a cache mark behind it: it covers the tools as well. */
function systemPart(sections: readonly Section[]): readonly string[] {
  const said = saidSections(sections);
  const lastStable = said.findLastIndex((section) => section.stable);
  const blocks = said.map(({ text }, index) => {
    const mark = index === lastStable ? `,${cacheMark}` : "";
    return `{"type":"text","text":${wellFormedJson(text)}${mark}}`;
  });
  return blocks.length === 0 ? [] : [`"system":[${blocks.join(",")}]`];
}

/** Stands in for the tools of a history when there are none now: the API wants tools where there were calls. */
const noTool: ToolSpec = {
  name: "unavailable",
  description: "No tool can be called now.",
  inputSchema: { type: "object" },
};

function toolsOf(request: ModelRequest, talk: Conversation): readonly ToolSpec[] {
  if (request.tools.length === 0) return talk.holdsTools ? [noTool] : [];
  return orderedTools(request);
}

function toolsPart(tools: readonly ToolSpec[], isMarkedBySystem: boolean): readonly string[] {
  if (tools.length === 0) return [];
  const list = tools.map((tool, index) => {
    const { name, description, inputSchema } = tool;
    const json = wellFormedJson({ name, description, input_schema: inputSchema });
    const isMarked = !isMarkedBySystem && index === tools.length - 1;
    return isMarked ? `${json.slice(0, -1)},${cacheMark}}` : json;
  });
  return [`"tools":[${list.join(",")}]`];
}

function toolChoice(request: ModelRequest, tools: readonly ToolSpec[]): JsonObject {
  const isNone = request.toolChoice === "none" || request.tools.length === 0;
  return tools.length > 0 && isNone ? { tool_choice: { type: "none" } } : {};
}

/** The body of one request as text, for tests and for looking at it; the client keeps a builder instead. */
export function anthropicBody(request: ModelRequest): string {
  const build = bodyBuilder({ thinkingBudgetTokens: null, isOwnHost: false });
  return Buffer.concat(build(request).parts).toString("utf8");
}
