import type { Json, JsonObject } from "#core";
import { objectOf, parseJson, stringOf } from "../shared/json-read.ts";

export const toolName: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

/** What the Responses API would refuse about the items of a conversation. */
export function inputProblems(input: Json | undefined): readonly string[] {
  if (!Array.isArray(input) || input.length === 0) {
    return ["Missing required parameter: 'input'."];
  }
  const items = input.map((item: Json) => objectOf(item) ?? {});
  return [
    ...items.flatMap((item, index) => itemProblems(item, `input[${index}]`)),
    ...items.flatMap((item, index) => thoughtProblems(item, items[index + 1])),
    ...duplicates(items),
    ...pairProblems(items),
  ];
}

const typeOf = (item: JsonObject | undefined): string => stringOf(item?.["type"]) ?? "";

function itemProblems(item: JsonObject, at: string): string[] {
  return [...idProblems(item, at), ...formProblems(item, at)];
}

/** Source: the API's own error, "Expected an ID that begins with 'fc'". */
const prefixes: Readonly<Record<string, string>> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ct",
};

function idProblems(item: JsonObject, at: string): string[] {
  const { id } = item;
  if (id === undefined) return [];
  const prefix = prefixes[typeOf(item)] ?? "";
  if (typeof id !== "string" || !id.startsWith(prefix)) {
    return [`Invalid '${at}.id': '${stringOf(id)}'. Expected an ID that begins with '${prefix}'.`];
  }
  return id.length <= 64 ? [] : [`Invalid '${at}.id': string too long.`];
}

function formProblems(item: JsonObject, at: string): string[] {
  switch (typeOf(item)) {
    case "":
      return [`Missing required parameter: '${at}.type'.`];
    case "message":
      return messageProblems(item, at);
    case "function_call":
      return callProblems(item, at, isArguments(item["arguments"]) ? [] : ["arguments"]);
    case "custom_tool_call":
      return callProblems(item, at, typeof item["input"] === "string" ? [] : ["input"]);
    case "function_call_output":
    case "custom_tool_call_output":
      return outputProblems(item, at);
    default:
      return [];
  }
}

function isArguments(text: Json | undefined): boolean {
  return objectOf(parseJson(stringOf(text) ?? "").value) !== null;
}

function callProblems(item: JsonObject, at: string, wrong: readonly string[]): string[] {
  const problems = wrong.map((field) => `Invalid value for '${at}.${field}'.`);
  if (!/^[^]{1,64}$/.test(stringOf(item["call_id"]) ?? "")) {
    problems.push(
      `Invalid '${at}.call_id': string too long. Expected a string with maximum length 64.`,
    );
  }
  if (!toolName.test(stringOf(item["name"]) ?? "")) {
    problems.push(
      `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    );
  }
  return problems;
}

function outputProblems({ output }: JsonObject, at: string): string[] {
  if (typeof output === "string" && output !== "") return [];
  if (!Array.isArray(output) || output.length === 0) return [`Invalid value for '${at}.output'.`];
  return output.flatMap((part: Json) => inputPartProblems(part, `${at}.output`));
}

function messageProblems({ role, content, id }: JsonObject, at: string): string[] {
  if (typeof content === "string") {
    return content.trim() === "" ? [`Invalid '${at}.content': empty.`] : [];
  }
  if (!Array.isArray(content) || content.length === 0) return [`Invalid '${at}.content': empty.`];
  if (role === "user") {
    return content.flatMap((part: Json) => inputPartProblems(part, `${at}.content`));
  }
  if (role !== "assistant") return [`Invalid value: '${at}.role'.`];
  return [
    ...(id === undefined ? [`Missing required parameter: '${at}.id'.`] : []),
    ...content.flatMap((part: Json) => answerPartProblems(part, `${at}.content`)),
  ];
}

function inputPartProblems(json: Json, at: string): string[] {
  const part = objectOf(json) ?? {};
  switch (typeOf(part)) {
    case "input_text":
      return (stringOf(part["text"]) ?? "").trim() === "" ? [`Invalid '${at}': empty text.`] : [];
    case "input_image":
      return /^data:image\/(png|jpeg|gif|webp);base64,./.test(stringOf(part["image_url"]) ?? "")
        ? []
        : [`Invalid '${at}.image_url'.`];
    default:
      return [
        `Invalid value: '${typeOf(part)}'. Supported values are: 'input_text', 'input_image'.`,
      ];
  }
}

function answerPartProblems(json: Json, at: string): string[] {
  const part = objectOf(json) ?? {};
  switch (typeOf(part)) {
    case "output_text":
      return typeof part["text"] === "string" && Array.isArray(part["annotations"])
        ? []
        : [`Missing required parameter: '${at}.annotations'.`];
    case "refusal":
      return typeof part["refusal"] === "string" ? [] : [`Missing parameter: '${at}.refusal'.`];
    default:
      return [`Invalid value: '${typeOf(part)}'. Supported values are: 'output_text', 'refusal'.`];
  }
}

/** A thought is known by its content alone, and stays with what followed it. */
function thoughtProblems(item: JsonObject, next: JsonObject | undefined): string[] {
  if (typeOf(item) !== "reasoning") return [];
  const id = stringOf(item["id"]);
  const { content, encrypted_content: encrypted, summary } = item;
  const isKnown =
    (stringOf(encrypted) ?? "") !== "" || (Array.isArray(content) && content.length > 0);
  const problems = isKnown
    ? []
    : [`Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`];
  if (!Array.isArray(summary)) problems.push("Missing required parameter: 'summary'.");
  const isAlone =
    next === undefined ||
    (typeOf(next) === "message" && next["role"] !== "assistant") ||
    typeOf(next).endsWith("_output");
  if (isAlone) {
    problems.push(
      `Item '${id}' of type 'reasoning' was provided without its required following item.`,
    );
  }
  return problems;
}

function duplicates(items: readonly JsonObject[]): string[] {
  const ids = items.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  const calls = items.filter(isCall).map((item) => stringOf(item["call_id"]) ?? "");
  return [...repeated(ids), ...repeated(calls)].map((id) => `Duplicate item found with id ${id}.`);
}

const repeated = (ids: readonly string[]): readonly string[] =>
  ids.filter((id, index) => ids.indexOf(id) < index);

const isCall = (item: JsonObject): boolean => /^(function|custom_tool)_call$/.test(typeOf(item));

/** Each call is answered once, in order, before anything else is said. */
function pairProblems(items: readonly JsonObject[]): string[] {
  const problems: string[] = [];
  let open: JsonObject[] = [];
  let isAnswering = false;
  const missing = (): void => {
    problems.push(
      ...open.map((call) => `No tool output found for function call ${stringOf(call["call_id"])}.`),
    );
    open = [];
  };
  for (const item of items) {
    if (/^(function|custom_tool)_call_output$/.test(typeOf(item))) {
      const call = open.shift();
      isAnswering = true;
      if (call?.["call_id"] !== item["call_id"] || `${typeOf(call)}_output` !== typeOf(item)) {
        problems.push(`No tool call found for function call output ${stringOf(item["call_id"])}.`);
      }
      continue;
    }
    const isUser = typeOf(item) === "message" && item["role"] === "user";
    if (isUser || isAnswering) missing();
    isAnswering = false;
    if (isCall(item)) open.push(item);
  }
  missing();
  return problems;
}
