import type { Image, JsonObject, Text, ToolResult, UserMessage } from "#core";
import { stringOf } from "../shared/json-read.ts";
import { wholeText } from "../shared/outgoing.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import type { CallNames } from "./call-names.ts";

/** JSON of input items, one text an item. */
export interface UserItems {
  readonly results: readonly string[];
  readonly rest: readonly string[];
}

/** What a user message says on the wire: the results of calls, then one message; empty text is dropped (W04). */
export function userItems(message: UserMessage, names: CallNames): UserItems {
  const results: string[] = [];
  const content: JsonObject[] = [];
  for (const block of message.blocks) {
    if (block.type === "tool_result") results.push(resultJson(block, names));
    else content.push(...shown(block));
  }
  return { results, rest: content.length === 0 ? [] : [messageJson(content)] };
}

const messageJson = (content: readonly JsonObject[]): string =>
  wellFormedJson({ type: "message", role: "user", content });

/** Stands for a conversation in which nothing can be sent, and after a reply that nobody has answered. */
export const goOn: string = messageJson([{ type: "input_text", text: "Continue." }]);

function shown(block: Text | Image): readonly JsonObject[] {
  if (block.type === "image") {
    const url = `data:${block.mediaType};base64,${wholeText(block.data)}`;
    return [{ type: "input_image", detail: "auto", image_url: url }];
  }
  const text = wholeText(block.text);
  return text.trim() === "" ? [] : [{ type: "input_text", text }];
}

/** Plain text where there are no images: not every server that speaks this wire knows lists. */
function resultJson(result: ToolResult, names: CallNames): string {
  const content = result.content.flatMap(shown);
  const isText = content.every((part) => part["type"] === "input_text");
  const text = content.map((part) => stringOf(part["text"]) ?? "").join("\n");
  const mark = result.isError && !/^\s*error/i.test(text) ? "Error: " : "";
  const { id, type } = names.ofCall(result.call);
  return wellFormedJson({
    type: `${type}_output`,
    call_id: id,
    output: isText ? `${mark}${text === "" ? "(no output)" : text}` : marked(content, mark),
  });
}

/** The wire has no mark for errors. */
const marked = (content: readonly JsonObject[], mark: string): readonly JsonObject[] =>
  mark === "" ? content : [{ type: "input_text", text: mark.trim() }, ...content];
