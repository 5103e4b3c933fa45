import type {
  AssistantBlock,
  AssistantMessage,
  Image,
  Opaque,
  Text,
  ToolResult,
  ToolUse,
  UserMessage,
} from "#core";
import { isJsonObject, stringOf } from "../shared/json-read.ts";
import { ownData, sendableToolName, wholeText } from "../shared/outgoing.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import type { WireIds } from "../shared/wire-ids.ts";
import { provider } from "./provider.ts";

/** JSON of content blocks, one text a block. */
export interface UserContent {
  readonly results: readonly string[];
  readonly rest: readonly string[];
}

/**
 * What a user message says on the wire. Results come first, because the API wants them right after the calls;
 * images of failed results move behind them (field case W07); empty text is dropped (W04).
 */
export function userContent(message: UserMessage, ids: WireIds): UserContent {
  const results: string[] = [];
  const images: string[] = [];
  const rest: string[] = [];
  for (const block of message.blocks) {
    if (block.type === "tool_result") {
      results.push(resultJson(block, ids));
      if (block.isError) images.push(...block.content.filter(isImage).map(imageJson));
    } else {
      rest.push(...shownJson(block));
    }
  }
  return { results, rest: [...images, ...rest] };
}

function resultJson(result: ToolResult, ids: WireIds): string {
  const shown = result.isError ? result.content.filter((block) => !isImage(block)) : result.content;
  const content = shown.flatMap(shownJson);
  // A failed result must say something; a good one may be empty.
  if (content.length === 0 && result.isError) content.push(textJson("(no output)"));
  const id = wellFormedJson(ids.ofCall(result.call));
  const inside = content.length === 0 ? "" : `,"content":[${content.join(",")}]`;
  const isError = result.isError ? ',"is_error":true' : "";
  return `{"type":"tool_result","tool_use_id":${id}${inside}${isError}}`;
}

const isImage = (block: Text | Image): block is Image => block.type === "image";

function shownJson(block: Text | Image): readonly string[] {
  if (block.type === "image") return [imageJson(block)];
  const text = wholeText(block.text);
  return text.trim() === "" ? [] : [textJson(text)];
}

export const textJson = (text: string): string => `{"type":"text","text":${wellFormedJson(text)}}`;

function imageJson(image: Image): string {
  const source = { type: "base64", media_type: image.mediaType, data: wholeText(image.data) };
  return wellFormedJson({ type: "image", source });
}

interface Where {
  /** Reference of the model the request is for. */
  readonly model: string;
  readonly ids: WireIds;
}

/**
 * What an assistant message says on the wire; empty when nothing of it can be sent. Opaque data goes back to its own
 * provider only, thinking to the very model that thought it ("Switching models mid-conversation", Anthropic API
 * documentation). Thinking without its signature is refused by the API, and so is thinking at the very end.
 */
export function assistantContent(message: AssistantMessage, where: Where): readonly string[] {
  const blocks = message.blocks.filter(
    (block) =>
      (!message.partial || block.type === "text" || block.type === "tool_use") &&
      (message.model === where.model || !isThinking(block)),
  );
  const sent = blocks.flatMap((block) => {
    const json = assistantJson(block, { author: message.model, ids: where.ids });
    return json === null ? [] : [{ json, isThinking: isThinking(block) }];
  });
  const last = sent.findLastIndex((block) => !block.isThinking);
  return sent.slice(0, last + 1).map(({ json }) => json);
}

/** Blocks of tools the provider itself runs: a reply may pause inside them and is sent back as it is. */
export function holdsServerTool(message: AssistantMessage): boolean {
  return (
    !message.partial &&
    message.blocks.some(
      (block) =>
        block.type === "opaque" &&
        block.provider === provider &&
        /tool_use|tool_result/.test(typeOf(block)),
    )
  );
}

const typeOf = ({ data }: Opaque): string =>
  (isJsonObject(data) ? stringOf(data["type"]) : null) ?? "";

const isThinking = (block: AssistantBlock): boolean =>
  block.type === "thinking" || (block.type === "opaque" && typeOf(block) === "redacted_thinking");

interface Written {
  /** Reference of the model that wrote it. */
  readonly author: string;
  readonly ids: WireIds;
}

function assistantJson(block: AssistantBlock, written: Written): string | null {
  switch (block.type) {
    case "text": {
      const text = wholeText(block.text);
      if (text.trim() === "") return null;
      return wellFormedJson({ type: "text", text, ...ownData(block.opaque, provider) });
    }
    case "thinking": {
      const data = ownData(block.opaque, provider);
      if (typeof data["signature"] !== "string") return null;
      return wellFormedJson({ type: "thinking", thinking: wholeText(block.text), ...data });
    }
    case "tool_use":
      return callJson(block, written);
    case "opaque":
      return block.provider === provider && isJsonObject(block.data)
        ? JSON.stringify(block.data)
        : null;
    default:
      return block satisfies never;
  }
}

function callJson(call: ToolUse, { author, ids }: Written): string {
  return wellFormedJson({
    type: "tool_use",
    id: ids.forCall(call, author),
    name: sendableToolName(call.tool, longestToolName),
    input: call.input,
    ...ownData(call.opaque, provider),
  });
}

const longestToolName = 128;
