import type {
  AssistantMessage,
  Image,
  JsonObject,
  Text,
  ToolResult,
  ToolUse,
  UserMessage,
} from "#core";
import { stringOf } from "../shared/json-read.ts";
import { ownData, sendableToolName, wholeText } from "../shared/outgoing.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import type { WireIds } from "../shared/wire-ids.ts";
import type { Dialect } from "../capabilities.ts";

/** What messages are written for. */
export interface Where {
  /** Reference of the model the request is for. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly ids: WireIds;
}

/** What a user's side says on the wire. */
export interface UserParts {
  /** JSON of `tool` messages, in the order of their calls. */
  readonly results: readonly string[];
  readonly shown: readonly Shown[];
}

/** Whole texts and images. */
type Shown =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly url: string };

/**
 * Results come first, because the API wants them right after their calls. They are texts only: images move behind
 * them (field case W07). Empty text is dropped (W04).
 */
export function userParts(message: UserMessage, where: Where): UserParts {
  const results: string[] = [];
  const images: Shown[] = [];
  const rest: Shown[] = [];
  for (const block of message.blocks) {
    if (block.type === "tool_result") {
      const { json, moved } = resultOf(block, where);
      results.push(json);
      images.push(...moved);
    } else rest.push(...shown(block));
  }
  return { results, shown: [...images, ...rest] };
}

function resultOf(
  { call, content, isError }: ToolResult,
  where: Where,
): { readonly json: string; readonly moved: readonly Shown[] } {
  const id = where.ids.ofCall(call);
  const parts = content.flatMap(shown);
  const images = parts.filter((part) => part.type === "image");
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const said = text === "" ? (images.length > 0 ? "(an image, see below)" : "(no output)") : text;
  // The wire has no mark for errors.
  const marked = isError && !/^\s*error/i.test(said) ? `Error: ${said}` : said;
  return {
    json: wellFormedJson({
      role: "tool",
      tool_call_id: id,
      content: wantsParts(where.dialect) ? [{ type: "text", text: marked }] : marked,
    }),
    moved: images.length === 0 ? [] : [textPart(`Image from the result of ${id}:`), ...images],
  };
}

const textPart = (text: string): Shown => ({ type: "text", text });

function shown(block: Text | Image): readonly Shown[] {
  if (block.type === "text") {
    const text = wholeText(block.text);
    return text.trim() === "" ? [] : [textPart(text)];
  }
  return [{ type: "image", url: `data:${block.mediaType};base64,${wholeText(block.data)}` }];
}

/** Only a part can bear a cache mark; a text is a list of parts whether or not it bears one, so that nothing shifts. */
const wantsParts = ({ cacheMarks }: Dialect): boolean => cacheMarks === "asked_for";

/** Text alone goes as a plain string: many servers take nothing else. */
export function userMessagesJson({ results, shown: parts }: UserParts, dialect: Dialect): string {
  if (parts.length === 0) return results.join(",");
  const isText = !wantsParts(dialect) && parts.every((part) => part.type === "text");
  const content = isText
    ? parts.map((part) => (part.type === "text" ? part.text : "")).join("\n\n")
    : parts.map((part) =>
        part.type === "text"
          ? { type: "text", text: part.text }
          : { type: "image_url", image_url: { url: part.url } },
      );
  return [...results, wellFormedJson({ role: "user", content })].join(",");
}

export const cacheMark = '"cache_control":{"type":"ephemeral"}';

/** The same messages with a cache mark on the last part: they always end in the three braces of that part. */
export const marked = (json: string): string => `${json.slice(0, -3)},${cacheMark}}]}`;

/** What an assistant message says on the wire; null when nothing of it can be sent. */
export function assistantJson(message: AssistantMessage, where: Where): string | null {
  const text = textOf(message);
  const calls = message.blocks
    .filter((block) => block.type === "tool_use")
    .map((call) => callOf(call, { author: message.model, where }));
  if (text.trim() === "" && calls.length === 0) return null;
  return wellFormedJson({
    role: "assistant",
    content: text.trim() === "" ? null : text,
    ...thinkingOf(message, { where, hasCalls: calls.length > 0 }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  });
}

/** Texts are pieces of one, unless a call stands between them. */
function textOf({ blocks }: AssistantMessage): string {
  let text = "";
  let isBehindCall = false;
  for (const block of blocks) {
    if (block.type === "tool_use") isBehindCall = text !== "";
    if (block.type !== "text") continue;
    const piece = wholeText(block.text);
    text += isBehindCall && piece.trim() !== "" ? `\n\n${piece}` : piece;
    if (piece.trim() !== "") isBehindCall = false;
  }
  return text;
}

function callOf(
  call: ToolUse,
  { author, where }: { readonly author: string; readonly where: Where },
): JsonObject {
  const own = author === where.model ? ownData(call.opaque, where.dialect.provider) : {};
  return {
    id: where.ids.forCall(call, author),
    type: "function",
    function: {
      name: sendableToolName(call.tool, longestToolName),
      // Arguments that could not be read were never run: templates of local servers fail on anything but JSON.
      arguments: wellFormedJson(call.input),
    },
    ...own,
  };
}

const longestToolName = 64;

/** What of its thinking goes back with a message: to the very model that thought it, as its dialect wants it. */
function thinkingOf(
  message: AssistantMessage,
  { where, hasCalls }: { readonly where: Where; readonly hasCalls: boolean },
): JsonObject {
  const { thinkingBack, provider } = where.dialect;
  const isOwn = message.model === where.model && !message.partial;
  const blocks = isOwn ? message.blocks.filter((block) => block.type === "thinking") : [];
  const text = blocks.map((block) => wholeText(block.text)).join("");
  const data: JsonObject = Object.assign(
    {},
    ...blocks.map(({ opaque }) => ownData(opaque, provider)),
  );
  switch (thinkingBack) {
    case "nothing":
      return {};
    case "on_every_call":
      return hasCalls || text !== "" ? { reasoning_content: text } : {};
    case "as_it_came": {
      const field = stringOf(data["field"]);
      return hasCalls && text !== "" && field !== null ? { [field]: text } : {};
    }
    case "details": {
      const details = data["reasoning_details"];
      return details === undefined ? {} : { reasoning_details: details };
    }
    default:
      return thinkingBack satisfies never;
  }
}
