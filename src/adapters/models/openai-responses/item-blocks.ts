import type { Json, JsonObject, ReplyBlock, WireCall } from "#core";
import { isJsonObject, objectOf, parseJson, stringOf } from "../shared/json-read.ts";
import { provider } from "./provider.ts";

/** Items of the Responses API as blocks of ours. What only the provider understands rides along unchanged. */

export const typeOf = (item: JsonObject): string => stringOf(item["type"]) ?? "";

/** Calls that the client answers. Source: "Function calling" and "Local shell", OpenAI API documentation. */
export const isCall = (item: JsonObject): boolean =>
  ["function_call", "custom_tool_call", "local_shell_call"].includes(typeOf(item));

/** The text of one part: of an answer, a refusal, a thought. */
export const textOf = (part: Json): string =>
  stringOf(objectOf(part)?.["text"]) ?? stringOf(objectOf(part)?.["refusal"]) ?? "";

/**
 * Blocks of a whole item that is no call.
 * @param came what its deltas brought: the thought as it was shown, and an answer that is not told again at the end
 */
export function blocksOfItem(item: JsonObject, came: string): readonly ReplyBlock[] {
  switch (typeOf(item)) {
    case "message":
      return textsOf(item, came);
    case "reasoning":
      return [{ type: "thinking", text: came, opaque: { provider, data: item } }];
    default:
      return [{ type: "opaque", provider, data: item }];
  }
}

/** One text a part, each with the rest of its message, so that they can be put together again. */
function textsOf(item: JsonObject, came: string): readonly ReplyBlock[] {
  const content = item["content"];
  const message = without(item, ["type", "role", "content"]);
  const texts = (Array.isArray(content) ? content : []).flatMap((part: Json): ReplyBlock[] => {
    const text = textOf(part);
    if (text === "") return [];
    const rest = without(objectOf(part) ?? {}, ["text", "refusal", "logprobs"]);
    return [{ type: "text", text, opaque: { provider, data: { ...message, part: rest } } }];
  });
  return texts.length > 0 || came === "" ? texts : [{ type: "text", text: came }];
}

export const toolOf = (item: JsonObject): string =>
  typeOf(item) === "local_shell_call" ? "local_shell" : (stringOf(item["name"]) ?? "");

/** A call as it stands. Its end marked by the wire, and no word of the item against it: it is complete. */
export function callOf(
  item: JsonObject,
  so: { readonly came: string; readonly isClosed: boolean },
): WireCall {
  const { input, problem, text } = inputOf(item, so);
  const status = item["status"];
  const kind = typeOf(item) === "function_call" ? ["type"] : [];
  return {
    type: "tool_use",
    wireId: stringOf(item["call_id"]),
    tool: toolOf(item),
    input,
    problem,
    inputText: problem === null ? null : text,
    complete: so.isClosed && status !== "incomplete" && status !== "in_progress",
    opaque: { provider, data: without(item, [...kind, "call_id", "name", argumentsKey(item)]) },
  };
}

interface Input {
  readonly input: JsonObject;
  readonly problem: string | null;
  readonly text: string;
}

/** Arguments as the end of the item tells them, else as its deltas did; none at all are `{}`. */
function inputOf(
  item: JsonObject,
  so: { readonly came: string; readonly isClosed: boolean },
): Input {
  const given = item[argumentsKey(item)];
  if (isJsonObject(given)) return { input: given, problem: null, text: "" };
  const told = stringOf(given) ?? "";
  const text = so.isClosed && told !== "" ? told : so.came || told;
  // A tool of free text has one argument.
  if (typeOf(item) === "custom_tool_call") return { input: { input: text }, problem: null, text };
  if (text.trim() === "") return { input: {}, problem: null, text };
  const { value, problem } = parseJson(text);
  if (problem !== null) return { input: {}, problem, text };
  return isJsonObject(value)
    ? { input: value, problem, text }
    : { input: {}, problem: "not an object", text };
}

/** Where an item of this type keeps its arguments. */
function argumentsKey(item: JsonObject): "arguments" | "input" | "action" {
  switch (typeOf(item)) {
    case "custom_tool_call":
      return "input";
    case "local_shell_call":
      return "action";
    default:
      return "arguments";
  }
}

function without(item: JsonObject, known: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !known.includes(key)));
}
