import type { JsonObject } from "#core";
import type { ModelRequest, Section, ToolSpec } from "#runtime";
import type { Capabilities } from "../capabilities.ts";
import { keptConversations } from "../shared/kept-conversations.ts";
import { isJsonObject } from "../shared/json-read.ts";
import { modelName, orderedTools, saidSections } from "../shared/outgoing.ts";
import { strictSchema } from "../shared/strict-schema.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import { thinkingOf } from "./thinking.ts";
import { cacheMark, conversation, type Conversation } from "./conversation.ts";

export interface BodyOptions {
  /** The request goes to the provider itself, which knows more than servers that only speak its wire. */
  readonly isOwnHost: boolean;
  /** Whether the models can be held to a JSON Schema. */
  readonly answerSchema: Capabilities["answerSchema"];
  /** How the models are told how hard to think. */
  readonly thinking: Capabilities["thinking"];
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
  const headOf = keptHead();

  return (request) => {
    const talk = follow(request);
    const maxTokens = Math.max(1, Math.floor(request.maxOutputTokens));
    const thinking = thinkingOf(options.thinking, {
      level: request.thinking ?? null,
      maxTokens,
      isAllowed: talk.allowsThinking,
      isOwnHost: options.isOwnHost,
    });
    const rest = {
      max_tokens: maxTokens,
      ...toolChoice(request, talk),
      ...withFormat(thinking.body, strictSchema(request, options.answerSchema)),
      stream: true,
    };
    const parts = [
      headOf(request, talk),
      talk.finished,
      Buffer.from(`${talk.tail()}],${JSON.stringify(rest).slice(1)}`),
    ];
    return { parts, beta: thinking.beta };
  };
}

/** The form of the answer and the effort are fields of one object. */
function withFormat(thinking: JsonObject, schema: JsonObject | null): JsonObject {
  if (schema === null) return thinking;
  const config = thinking["output_config"];
  const format = { type: "json_schema", schema };
  return { ...thinking, output_config: { ...(isJsonObject(config) ? config : {}), format } };
}

/**
 * The part before the messages, up to and with their bracket. Kept as bytes while the model, the parts of the system
 * prompt and the list of tools are the same ones.
 */
function keptHead(): (request: ModelRequest, talk: Conversation) => Uint8Array {
  let last: { readonly of: readonly unknown[]; readonly bytes: Uint8Array } | null = null;
  return (request, talk) => {
    const of = [request.model, talk.holdsTools, request.tools, ...request.system];
    const isSame =
      last?.of.length === of.length && last.of.every((one, index) => one === of[index]);
    if (last === null || !isSame) last = { of, bytes: Buffer.from(headJson(request, talk)) };
    return last.bytes;
  };
}

function headJson(request: ModelRequest, talk: Conversation): string {
  const hasStableSystem = saidSections(request.system).some((section) => section.stable);
  const head = [
    `"model":${JSON.stringify(modelName(request.model))}`,
    ...systemPart(request.system),
    ...toolsPart(toolsOf(request, talk), hasStableSystem),
  ];
  return `{${head.join(",")},"messages":[`;
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

function toolChoice(request: ModelRequest, talk: Conversation): JsonObject {
  const hasTools = request.tools.length > 0;
  const isNone = hasTools ? request.toolChoice === "none" : talk.holdsTools;
  return isNone ? { tool_choice: { type: "none" } } : {};
}

/** The body of one request as text, for tests and for looking at it; the client keeps a builder instead. */
export function anthropicBody(request: ModelRequest): string {
  const build = bodyBuilder({ isOwnHost: false, answerSchema: "beside_tools", thinking: "budget" });
  return Buffer.concat(build(request).parts).toString("utf8");
}
