import {
  text,
  type AssistantMessage,
  type CallId,
  type Image,
  type Message,
  type Text,
  type ToolResult,
  type ToolUse,
  type UserBlock,
  type UserMessage,
} from "#core";
import { wholeText } from "../shared/outgoing.ts";
import { attribute, blockTag, resultsTag, tagged } from "./tags.ts";
import { textOfValue } from "./values.ts";

/**
 * Messages with their calls and results as text. A message becomes the same object each time, so that the wire below
 * keeps its serialised form; what it becomes is a function of the message and of the names of the tools that were
 * called, so that the bytes of a conversation stay.
 */
export function messagesAsText(): (messages: readonly Message[]) => readonly Message[] {
  const known = new WeakMap<Message, Message>();
  return (messages) => {
    const tools = new Map<CallId, string>();
    return messages.map((message) => {
      if (message.role === "assistant") {
        for (const block of message.blocks) {
          if (block.type === "tool_use") tools.set(block.call, block.tool);
        }
      }
      const found = known.get(message);
      if (found !== undefined) return found;
      const made = message.role === "user" ? userAsText(message, tools) : replyAsText(message);
      known.set(message, made);
      return made;
    });
  };
}

/** Calls stand at the end, as the model is told to write them. */
function replyAsText(message: AssistantMessage): AssistantMessage {
  const calls = message.blocks.filter((block) => block.type === "tool_use");
  if (calls.length === 0) return message;
  const said = message.blocks.filter((block) => block.type !== "tool_use");
  const last = said.at(-1);
  const block = [`<${blockTag}>`, ...calls.map(callAsText), `</${blockTag}>`].join("\n");
  if (last?.type !== "text") {
    const isFirst = said.every((one) => one.type !== "text");
    return { ...message, blocks: [...said, text(isFirst ? block : `\n\n${block}`)] };
  }
  const before = wholeText(last.text);
  const joined = before.trim() === "" ? block : `${before.trimEnd()}\n\n${block}`;
  // Opaque data belongs to the text as it was said.
  return { ...message, blocks: [...said.slice(0, -1), text(joined)] };
}

function callAsText({ tool, input }: ToolUse): string {
  const parameters = Object.entries(input).map(([name, value]) =>
    tagged("parameter", { attributes: ` name="${attribute(name)}"`, value: textOfValue(value) }),
  );
  return [`<invoke name="${attribute(tool)}">`, ...parameters, "</invoke>"].join("\n");
}

/** Results stand first, and images behind them: they are texts. */
function userAsText(message: UserMessage, tools: ReadonlyMap<CallId, string>): UserMessage {
  const results = message.blocks.filter((block) => block.type === "tool_result");
  if (results.length === 0) return message;
  const parts = results.map((result) => resultAsText(result, tools.get(result.call) ?? "unknown"));
  const block = [`<${resultsTag}>`, ...parts, `</${resultsTag}>`].join("\n");
  const rest = message.blocks.filter((one) => one.type !== "tool_result");
  return {
    ...message,
    blocks: [text(block), ...results.flatMap((one) => imagesOf(one, tools)), ...rest],
  };
}

function resultAsText({ content, isError }: ToolResult, tool: string): string {
  const texts = content.filter((block): block is Text => block.type === "text");
  const said = texts.map((block) => wholeText(block.text)).join("\n");
  const isSeen = content.length > texts.length;
  const value = said.trim() !== "" ? said : isSeen ? "(an image, see below)" : "(no output)";
  const status = isError ? ' status="error"' : "";
  const attributes = ` tool="${attribute(tool)}"${status}`;
  return tagged("result", { attributes, value: `\n${value}\n` });
}

function imagesOf(
  { call, content }: ToolResult,
  tools: ReadonlyMap<CallId, string>,
): readonly UserBlock[] {
  const images = content.filter((block): block is Image => block.type === "image");
  if (images.length === 0) return [];
  return [text(`Image from the result of ${tools.get(call) ?? "unknown"}:`), ...images];
}
