import type {
  AssistantBlock,
  AssistantMessage,
  JsonObject,
  OpaqueBlock,
  Text,
  ToolUse,
} from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";
import { ownData, sendableToolName, wholeText } from "../shared/outgoing.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import type { CallNames } from "./call-names.ts";
import { typeOf } from "./item-blocks.ts";
import { provider } from "./provider.ts";

export interface Where {
  /** Reference of the model the request is for. */
  readonly model: string;
  readonly names: CallNames;
  /** Ids of items that the host takes back. */
  readonly itemIds: RegExp;
}

/**
 * What a reply says on the wire; empty when nothing of it can be sent. To the model that wrote it, items go back as they
 * came, ids and all. But a server that keeps nothing (`store: false`) knows a thought by its encrypted content only,
 * and refuses the ids of what followed a thought that is left out. Then the same is said without thoughts and ids.
 */
export function replyItems(message: AssistantMessage, where: Where): readonly string[] {
  const isNative =
    !message.partial &&
    message.model === where.model &&
    message.blocks.every((block) => canGoBack(block, { message, itemIds: where.itemIds }));
  const items = isNative ? nativeItems(message, where) : plainItems(message, where);
  // A thought stays with what follows it: alone it is refused.
  const last = items.findLastIndex((item) => typeOf(item) !== "reasoning");
  return items.slice(0, last + 1).map(wellFormedJson);
}

function canGoBack(
  block: AssistantBlock,
  { message, itemIds }: { readonly message: AssistantMessage; readonly itemIds: RegExp },
): boolean {
  const data = block.type === "opaque" ? ownData(block, provider) : ownData(block.opaque, provider);
  const id = stringOf(data["id"]);
  if (id !== null && !itemIds.test(id)) return false;
  switch (block.type) {
    case "text":
    case "tool_use":
      return true;
    case "thinking":
      return (
        typeOf(data) === "reasoning" &&
        ((stringOf(data["encrypted_content"]) ?? "") !== "" || hasEntries(data["content"]))
      );
    case "opaque":
      return block.provider === provider && isAnswered(data, message);
    default:
      return block satisfies never;
  }
}

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** A call of a tool we know nothing of, which waits for an answer that nobody gave, would be refused. */
function isAnswered(item: JsonObject, { blocks }: AssistantMessage): boolean {
  const call = item["call_id"];
  if (call === undefined) return true;
  const same = blocks.filter((block) => block.type === "opaque" && callIdOf(block) === call);
  return same.length === 2;
}

const callIdOf = ({ data }: OpaqueBlock): unknown => objectOf(data)?.["call_id"];

function nativeItems({ blocks, model }: AssistantMessage, where: Where): readonly JsonObject[] {
  const items: JsonObject[] = [];
  for (const block of blocks) {
    const item = nativeItem(block, { author: model, names: where.names });
    const last = items.at(-1);
    if (item === null) continue;
    if (last !== undefined && isSameMessage(last, item))
      items[items.length - 1] = joined(last, item);
    else items.push(item);
  }
  return items;
}

interface Written {
  /** Reference of the model that wrote it. */
  readonly author: string;
  readonly names: CallNames;
}

function nativeItem(block: AssistantBlock, written: Written): JsonObject | null {
  switch (block.type) {
    case "text":
      return textItem(block);
    case "tool_use":
      return callItem(block, written);
    case "thinking":
      return ownData(block.opaque, provider);
    case "opaque":
      return ownData(block, provider);
    default:
      return block satisfies never;
  }
}

/** A part of a message as it came; without an id it is a message of its own. */
function textItem(block: Text): JsonObject | null {
  const text = wholeText(block.text);
  if (text.trim() === "") return null;
  const { part, ...message } = ownData(block.opaque, provider);
  if (stringOf(message["id"]) === null) return saidItem(text, message);
  const rest = objectOf(part) ?? {};
  const key = typeOf(rest) === "refusal" ? "refusal" : "text";
  const content = [{ type: "output_text", annotations: [], ...rest, [key]: text }];
  return { type: "message", role: "assistant", status: "completed", ...message, content };
}

/** Newer models want to be told again which of their messages was comment and which the answer. */
function saidItem(content: string, message: JsonObject): JsonObject {
  const phase = stringOf(message["phase"]);
  return { type: "message", role: "assistant", content, ...(phase === null ? {} : { phase }) };
}

const isSameMessage = (a: JsonObject, b: JsonObject): boolean =>
  typeOf(a) === "message" &&
  typeOf(b) === "message" &&
  a["id"] !== undefined &&
  a["id"] === b["id"];

const joined = (a: JsonObject, b: JsonObject): JsonObject => ({
  ...a,
  content: [a["content"] ?? [], b["content"] ?? []].flat(),
});

function callItem(call: ToolUse, { author, names }: Written): JsonObject {
  const data = ownData(call.opaque, provider);
  const type = typeOf(data) === "custom_tool_call" ? "custom_tool_call" : "function_call";
  const item = {
    ...(typeOf(data) === "local_shell_call" ? {} : data),
    type,
    call_id: names.forCall(call, { author, type }),
    name: sendableToolName(call.tool, longestName),
  };
  return type === "custom_tool_call"
    ? { ...item, input: stringOf(call.input["input"]) ?? "" }
    : { ...item, arguments: wellFormedJson(call.input) };
}

/** Source: the API's own error, "string too long. Expected a string with maximum length 64". */
const longestName = 64;

function plainItems({ blocks, model }: AssistantMessage, where: Where): readonly JsonObject[] {
  const written = { author: model, names: where.names };
  return blocks.flatMap((block): JsonObject[] => {
    if (block.type === "text") {
      const text = wholeText(block.text);
      return text.trim() === "" ? [] : [saidItem(text, ownData(block.opaque, provider))];
    }
    if (block.type !== "tool_use") return [];
    const { opaque: _, ...call } = block;
    return [callItem(call, written)];
  });
}
