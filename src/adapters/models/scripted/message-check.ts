import type { Json, JsonObject } from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";

interface WireMessage {
  readonly role: string;
  /** Content blocks; a plain string is one text block. */
  readonly content: readonly JsonObject[];
  /** How the API names the place: `messages.3`. */
  readonly at: string;
}

/** What the Messages API would refuse about the conversation of a request. */
export function messageProblems(
  messages: Json | undefined,
  request: { readonly hasTools: boolean },
): readonly string[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    return ["messages: at least one message is required"];
  }
  const wire = messages.map((message: Json, index) => read(message, index));
  const holdsTools = wire.some(({ content }) =>
    content.some(({ type }) => type === "tool_use" || type === "tool_result"),
  );
  return [
    ...wire.flatMap((message, index) => roleProblems(message, wire[index - 1])),
    ...wire.flatMap(contentProblems),
    ...wire.flatMap((message, index) => pairProblems(message, wire[index + 1])),
    ...wire.flatMap((message, index) => resultProblems(message, wire[index - 1])),
    ...duplicateIds(wire),
    ...lastProblems(wire.at(-1)),
    ...(holdsTools && !request.hasTools
      ? ["tools: requests which hold tool_use or tool_result blocks must define tools"]
      : []),
  ];
}

function read(message: Json, index: number): WireMessage {
  const content = objectOf(message)?.["content"];
  const blocks =
    typeof content === "string"
      ? [{ type: "text", text: content }]
      : Array.isArray(content)
        ? content.map((block: Json) => objectOf(block) ?? {})
        : [];
  return {
    role: stringOf(objectOf(message)?.["role"]) ?? "",
    content: blocks,
    at: `messages.${index}`,
  };
}

function roleProblems({ role, at }: WireMessage, before: WireMessage | undefined): string[] {
  if (role !== "user" && role !== "assistant") {
    return [`${at}.role: Input should be 'user' or 'assistant'`];
  }
  if (before === undefined && role !== "user") {
    return ["messages: first message must use the user role"];
  }
  return role === "user" && before?.role === "user"
    ? [`${at}: roles must alternate between "user" and "assistant"`]
    : [];
}

function contentProblems({ content, role, at }: WireMessage): string[] {
  if (content.length === 0) return [`${at}: all messages must have non-empty content`];
  const problems = content.flatMap((block, index) =>
    blockProblems(block, { at: `${at}.content.${index}`, role }),
  );
  if (role === "assistant" && /^(redacted_)?thinking$/.test(typeOf(content.at(-1)))) {
    problems.push(`${at}: The final block in an assistant message cannot be \`thinking\`.`);
  }
  return problems;
}

const typeOf = (block: JsonObject | undefined): string => stringOf(block?.["type"]) ?? "";

function blockProblems(
  block: JsonObject,
  where: { readonly at: string; readonly role: string },
): string[] {
  const { at, role } = where;
  const wrongRole = `${at}: \`${typeOf(block)}\` blocks are not permitted in ${role} messages`;
  switch (typeOf(block)) {
    case "":
      return [`${at}.type: Field required`];
    case "text":
      return (stringOf(block["text"]) ?? "").trim() === ""
        ? [`${at}: text content blocks must contain non-whitespace text`]
        : [];
    case "image":
      return role === "user" ? imageProblems(block, at) : [wrongRole];
    case "tool_use":
      return role === "assistant" ? callProblems(block, at) : [wrongRole];
    case "tool_result":
      return role === "user" ? outcomeProblems(block, at) : [wrongRole];
    case "thinking":
      if (role !== "assistant") return [wrongRole];
      return (stringOf(block["signature"]) ?? "") === ""
        ? [`${at}: Invalid \`signature\` in \`thinking\` block`]
        : markProblems(block, at);
    case "redacted_thinking":
      return role === "assistant" ? markProblems(block, at) : [wrongRole];
    default:
      return [];
  }
}

const markProblems = (block: JsonObject, at: string): string[] =>
  block["cache_control"] === undefined
    ? []
    : [`${at}: \`cache_control\` cannot be set for \`thinking\` blocks`];

function imageProblems(block: JsonObject, at: string): string[] {
  const source = objectOf(block["source"]);
  const mediaType = stringOf(source?.["media_type"]) ?? "";
  const isKnown = /^image\/(jpeg|png|gif|webp)$/.test(mediaType);
  const hasData = (stringOf(source?.["data"]) ?? "") !== "";
  return isKnown && hasData ? [] : [`${at}.image.source: the image or its media type is not valid`];
}

function callProblems(block: JsonObject, at: string): string[] {
  const problems: string[] = [];
  if (!/^[a-zA-Z0-9_-]+$/.test(stringOf(block["id"]) ?? "")) {
    problems.push(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (!/^[a-zA-Z0-9_-]{1,200}$/.test(stringOf(block["name"]) ?? "")) {
    problems.push(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
  }
  if (objectOf(block["input"]) === null) {
    problems.push(`${at}.tool_use.input: Input should be a valid dictionary`);
  }
  return problems;
}

function outcomeProblems(block: JsonObject, at: string): string[] {
  const content = block["content"];
  const blocks = Array.isArray(content) ? content.map((one: Json) => objectOf(one) ?? {}) : [];
  const isError = block["is_error"] === true;
  const problems = blocks.flatMap((one, index) =>
    blockProblems(one, { at: `${at}.tool_result.content.${index}`, role: "user" }),
  );
  if (isError && (blocks.length === 0 ? (stringOf(content) ?? "") === "" : false)) {
    problems.push(`${at}.tool_result: content cannot be empty if \`is_error\` is true`);
  }
  if (isError && blocks.some((one) => typeOf(one) !== "text")) {
    problems.push(`${at}.tool_result: all content must be type "text" if "is_error" is true`);
  }
  return problems;
}

const idsOf = (message: WireMessage | undefined, type: string, key: string): readonly string[] =>
  (message?.content ?? [])
    .filter((block) => typeOf(block) === type)
    .map((block) => stringOf(block[key]) ?? "");

/** Each call has its result right after it, before anything else, once. */
function pairProblems(message: WireMessage, next: WireMessage | undefined): string[] {
  const calls = idsOf(message, "tool_use", "id");
  if (calls.length === 0) return [];
  const results = idsOf(next, "tool_result", "tool_use_id");
  const open = calls.filter((id) => !results.includes(id));
  const problems =
    open.length === 0
      ? []
      : [
          `${message.at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        ];
  if (calls.join() !== results.join() && open.length === 0 && calls.length === results.length) {
    problems.push(`${message.at}: results stand in another order than their calls`);
  }
  return problems;
}

function resultProblems(message: WireMessage, before: WireMessage | undefined): string[] {
  const results = idsOf(message, "tool_result", "tool_use_id");
  const calls = idsOf(before, "tool_use", "id");
  const problems = results
    .filter((id) => !calls.includes(id))
    .map(
      (id) =>
        `${message.at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  if (new Set(results).size < results.length) {
    problems.push(
      `${message.at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks`,
    );
  }
  const firstOther = message.content.findIndex((block) => typeOf(block) !== "tool_result");
  const lastResult = message.content.findLastIndex((block) => typeOf(block) === "tool_result");
  if (firstOther >= 0 && firstOther < lastResult) {
    problems.push(`${message.at}: tool_result blocks must come before any other content`);
  }
  return problems;
}

function duplicateIds(wire: readonly WireMessage[]): string[] {
  const ids = wire.flatMap((message) => idsOf(message, "tool_use", "id"));
  return new Set(ids).size === ids.length ? [] : ["messages: `tool_use` ids must be unique"];
}

/** A reply that paused inside a server tool is sent back to be continued; any other must be answered by a user. */
function lastProblems(last: WireMessage | undefined): string[] {
  if (last?.role !== "assistant") return [];
  const isPaused = last.content.some((block) =>
    /^(server_tool_use|.+_tool_use|.+_tool_result)$/.test(typeOf(block)),
  );
  return isPaused
    ? []
    : [
        "This model does not support assistant message prefill. The conversation must end with a user message.",
      ];
}
