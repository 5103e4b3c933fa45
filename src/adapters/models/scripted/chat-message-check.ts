import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, parseJson, stringOf } from "../shared/json-read.ts";

interface WireMessage {
  readonly role: string;
  readonly message: JsonObject;
  /** How the API names the place: `messages[3]`. */
  readonly at: string;
}

/** What the Chat Completions API would refuse about the conversation of a request. */
export function chatMessageProblems(messages: Json | undefined): readonly string[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    return ["Invalid 'messages': empty array. Expected an array with minimum length 1"];
  }
  const wire = messages.map((json: Json, index): WireMessage => {
    const message = objectOf(json) ?? {};
    return { role: stringOf(message["role"]) ?? "", message, at: `messages[${index}]` };
  });
  return [
    ...wire.flatMap(messageProblems),
    ...wire.flatMap((message, index) => orderProblems(message, wire[index - 1])),
    ...wire.flatMap((message, index) => pairProblems(message, wire.slice(index + 1))),
    ...strayResults(wire),
    ...idProblems(wire),
    ...endProblems(wire.at(-1)),
  ];
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content", "name"],
  developer: ["role", "content", "name"],
  user: ["role", "content", "name"],
  // The last three are fields of compatible servers.
  assistant: [
    "role",
    "content",
    "name",
    "refusal",
    "tool_calls",
    "reasoning_content",
    "reasoning",
    "reasoning_details",
  ],
  tool: ["role", "content", "tool_call_id"],
};

function messageProblems({ role, message, at }: WireMessage): readonly string[] {
  const fields = allowed[role];
  if (fields === undefined) return [`Invalid value for '${at}.role'`];
  const unknown = Object.keys(message).filter((key) => !fields.includes(key));
  return [
    ...unknown.map(
      (key) => `Additional properties are not allowed ('${key}' was unexpected): ${at}`,
    ),
    ...(role === "assistant" ? replyProblems(message, at) : saidProblems({ role, message, at })),
  ];
}

function saidProblems({ role, message, at }: WireMessage): readonly string[] {
  const content = message["content"];
  const problems =
    role === "tool" && (stringOf(message["tool_call_id"]) ?? "") === ""
      ? [`Missing required parameter: '${at}.tool_call_id'`]
      : [];
  if (typeof content === "string") {
    return content.trim() === "" ? [...problems, `${at}.content must not be empty`] : problems;
  }
  if (!Array.isArray(content) || content.length === 0) {
    return [...problems, `Invalid type for '${at}.content': expected a string or an array`];
  }
  const kinds = role === "user" ? ["text", "image_url"] : ["text"];
  return [
    ...problems,
    ...content.flatMap((part: Json, index) =>
      partProblems(objectOf(part) ?? {}, { kinds, at: `${at}.content[${index}]` }),
    ),
  ];
}

function partProblems(
  part: JsonObject,
  { kinds, at }: { readonly kinds: readonly string[]; readonly at: string },
): readonly string[] {
  const type = stringOf(part["type"]) ?? "";
  if (!kinds.includes(type))
    return [`Invalid value: '${type}'. Supported values: ${kinds.join()} (${at})`];
  if (type === "text") {
    return (stringOf(part["text"]) ?? "").trim() === "" ? [`${at}.text must not be empty`] : [];
  }
  const url = stringOf(objectOf(part["image_url"])?.["url"]) ?? "";
  const isImage = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/])/.test(url);
  return isImage ? [] : [`Invalid '${at}.image_url.url': not an image the API takes`];
}

function replyProblems(message: JsonObject, at: string): readonly string[] {
  const { content, tool_calls: calls } = message;
  const text = stringOf(content) ?? "";
  const problems: string[] = [];
  if (content !== null && content !== undefined && typeof content !== "string") {
    problems.push(`Invalid type for '${at}.content': expected a string or null`);
  }
  if (calls === undefined && text.trim() === "") {
    problems.push(`${at}: an assistant message must have content or tool_calls`);
  }
  if (typeof content === "string" && text.trim() === "") {
    problems.push(`${at}.content must be null, not empty`);
  }
  if (calls === undefined) return problems;
  if (!Array.isArray(calls) || calls.length === 0) {
    return [...problems, `Invalid '${at}.tool_calls': empty array`];
  }
  return [
    ...problems,
    ...calls.flatMap((call: Json, index) =>
      callProblems(objectOf(call), `${at}.tool_calls[${index}]`),
    ),
  ];
}

function callProblems(call: JsonObject | null, at: string): readonly string[] {
  const made = objectOf(call?.["function"]);
  if (call?.["type"] !== "function" || made === null) return [`Invalid value for '${at}.type'`];
  const problems: string[] = [];
  const unknown = Object.keys(call).find(
    (key) => !["id", "type", "function", "extra_content"].includes(key),
  );
  if (unknown !== undefined) problems.push(`Unknown parameter: '${at}.${unknown}'`);
  if (!/^[\x21-\x7e]{1,8192}$/.test(stringOf(call["id"]) ?? ""))
    problems.push(`Invalid '${at}.id'`);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(stringOf(made["name"]) ?? "")) {
    problems.push(
      `Invalid '${at}.function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'`,
    );
  }
  if (!isJsonObject(parseJson(stringOf(made["arguments"]) ?? "").value)) {
    problems.push(`Invalid '${at}.function.arguments': expected a JSON object as a string`);
  }
  return problems;
}

const isSystem = (role: string): boolean => role === "system" || role === "developer";

/** System messages stand first, a user begins, and sides alternate. */
function orderProblems({ role, at }: WireMessage, before: WireMessage | undefined): string[] {
  const last = before?.role ?? "";
  if (isSystem(role))
    return before === undefined || isSystem(last) ? [] : [`${at}: system messages come first`];
  if (last === "" || isSystem(last)) {
    return role === "user" ? [] : [`${at}: the first message must be a user's`];
  }
  const follows: Readonly<Record<string, readonly string[]>> = {
    user: ["assistant"],
    assistant: ["user", "tool"],
    tool: ["tool", "user", "assistant"],
  };
  return (follows[last] ?? []).includes(role)
    ? []
    : [`${at}: conversation roles must alternate (${role} follows ${last})`];
}

const callIds = ({ role, message }: WireMessage): readonly string[] => {
  const calls = role === "assistant" ? message["tool_calls"] : undefined;
  return Array.isArray(calls)
    ? calls.map((call: Json) => stringOf(objectOf(call)?.["id"]) ?? "")
    : [];
};

const answeredId = ({ message }: WireMessage): string => stringOf(message["tool_call_id"]) ?? "";

/** Each call is answered once, in order, right behind it. */
function pairProblems(message: WireMessage, rest: readonly WireMessage[]): readonly string[] {
  const ids = callIds(message);
  const end = rest.findIndex(({ role }) => role !== "tool");
  const answers = (end < 0 ? rest : rest.slice(0, end)).map(answeredId);
  const missing = ids.filter((id) => !answers.includes(id));
  if (missing.length > 0) {
    return [
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(", ")}`,
    ];
  }
  return ids.length === 0 || ids.join() === answers.join()
    ? []
    : [`${message.at}: results stand in another order than their calls, or one of them twice`];
}

function strayResults(wire: readonly WireMessage[]): readonly string[] {
  let open: readonly string[] = [];
  const problems: string[] = [];
  for (const message of wire) {
    if (message.role !== "tool") open = callIds(message);
    else if (!open.includes(answeredId(message))) {
      problems.push(
        `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls' (${message.at})`,
      );
    }
  }
  return problems;
}

function idProblems(wire: readonly WireMessage[]): readonly string[] {
  const ids = wire.flatMap(callIds);
  return new Set(ids).size === ids.length ? [] : ["messages: ids of tool calls must be unique"];
}

const endProblems = (last: WireMessage | undefined): readonly string[] =>
  last?.role === "user" || last?.role === "tool"
    ? []
    : ["Expected last role User or Tool for serving but got another"];
