import type { JsonObject } from "#core";
import type { ModelRequest, Section } from "#runtime";
import { keptConversations } from "../shared/kept-conversations.ts";
import { modelName, orderedTools, saidSections } from "../shared/outgoing.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import { cacheMark } from "./content.ts";
import { conversation } from "./conversation.ts";
import type { Dialect } from "../capabilities.ts";
import { schemaFor } from "./schema.ts";
import { thinkingPart } from "./thinking.ts";

/**
 * Builds request bodies. Keys stand in the order model, tools, messages, rest: each request of a conversation begins
 * with the bytes of the one before, up to the end of its last message, or up to its cache marks (requirement R14).
 */
export function bodyBuilder(dialect: Dialect): (request: ModelRequest) => readonly Uint8Array[] {
  const follow = keptConversations((model) => conversation(model, dialect));
  return (request) => {
    const talk = follow(request);
    const model = modelName(request.model);
    const head = [
      `"model":${JSON.stringify(model)}`,
      ...toolsPart(request, dialect),
      `"messages":[${systemPart(request.system, dialect)}`,
    ].join(",");
    const maxTokens = Math.max(1, Math.floor(request.maxOutputTokens));
    const rest = {
      [dialect.outputLimit]: maxTokens,
      ...thinkingPart(dialect, request.thinking ?? null, { model, maxTokens }),
      ...callChoice(request, dialect),
      stream: true,
      ...(dialect.usageOption === "understood" ? { stream_options: { include_usage: true } } : {}),
    };
    return [
      Buffer.from(`{${head}`),
      talk.finished,
      Buffer.from(`${talk.tail()}],${JSON.stringify(rest).slice(1)}`),
    ];
  };
}

/** One message, with a comma behind it: what stays the same comes first, with a cache mark where one is needed. */
function systemPart(sections: readonly Section[], { systemRole, cacheMarks }: Dialect): string {
  const said = saidSections(sections);
  const joined = (some: readonly Section[]): string =>
    some.map((section) => section.text).join("\n\n");
  if (said.length === 0) return "";
  if (cacheMarks === "by_itself") {
    return `${wellFormedJson({ role: systemRole, content: joined(said) })},`;
  }
  const stable = said.slice(0, said.findLastIndex((section) => section.stable) + 1);
  const rest = said.slice(stable.length);
  const parts = [stable, rest].map((some) => (some.length === 0 ? [] : [textPart(joined(some))]));
  const [kept = [], volatile = []] = parts;
  const content = [...kept.map((part) => `${part.slice(0, -1)},${cacheMark}}`), ...volatile];
  return `{"role":"${systemRole}","content":[${content.join(",")}]},`;
}

const textPart = (text: string): string => wellFormedJson({ type: "text", text });

/** An empty list is refused by some servers (field case W10). */
function toolsPart(request: ModelRequest, dialect: Dialect): readonly string[] {
  if (request.tools.length === 0) return [];
  const list = orderedTools(request).map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: schemaFor(inputSchema, dialect) },
  }));
  return [`"tools":${wellFormedJson(list)}`];
}

function callChoice(request: ModelRequest, dialect: Dialect): JsonObject {
  if (request.tools.length === 0) return {};
  if (request.toolChoice === "none") {
    return dialect.choiceNone === "understood" ? { tool_choice: "none" } : {};
  }
  return dialect.parallelCalls === "asked_for" ? { parallel_tool_calls: true } : {};
}

/** The body of one request as text, for tests and for looking at it; the client keeps a builder instead. */
export function openAiChatBody(request: ModelRequest, dialect: Dialect): string {
  return Buffer.concat(bodyBuilder(dialect)(request)).toString("utf8");
}
