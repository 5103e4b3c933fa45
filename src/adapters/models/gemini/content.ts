import type {
  AssistantBlock,
  AssistantMessage,
  Image,
  JsonObject,
  Text,
  ToolResult,
  UserMessage,
} from "#core";
import { objectOf, stringOf } from "../shared/json-read.ts";
import { modelName, ownData, wholeText } from "../shared/outgoing.ts";
import { wellFormedJson } from "../shared/well-formed.ts";
import type { CallNames } from "./call-names.ts";
import { provider } from "./provider.ts";
import { noSignature, wantsSignature } from "./signature.ts";

/** JSON of parts, one text a part. */
export interface UserParts {
  readonly results: readonly string[];
  readonly rest: readonly string[];
}

/**
 * What a user message says on the wire: the results of calls, in order and before everything else, because the API counts
 * them against the calls; images of results behind them; no empty text (field cases W04, W07).
 */
export function userParts(message: UserMessage, names: CallNames): UserParts {
  const results: string[] = [];
  const images: string[] = [];
  const rest: string[] = [];
  for (const block of message.blocks) {
    if (block.type === "tool_result") {
      results.push(resultJson(block, names));
      images.push(...block.content.filter(isImage).map(imageJson));
    } else {
      rest.push(...shown(block));
    }
  }
  return { results, rest: [...images, ...rest] };
}

const isImage = (block: Text | Image): block is Image => block.type === "image";

function resultJson(result: ToolResult, names: CallNames): string {
  const texts = result.content.flatMap((block) =>
    block.type === "text" ? [wholeText(block.text)] : [],
  );
  const said = texts.filter((text) => text.trim() !== "").join("\n");
  const hasImage = result.content.some(isImage);
  const text = said || (hasImage ? "(see the images that follow)" : "(no output)");
  const response = result.isError ? { error: text } : { output: text };
  return wellFormedJson({ functionResponse: { ...names.ofCall(result.call), response } });
}

function shown(block: Text | Image): readonly string[] {
  if (block.type === "image") return [imageJson(block)];
  const text = wholeText(block.text);
  return text.trim() === "" ? [] : [textJson(text)];
}

export const textJson = (text: string): string => wellFormedJson({ text });

function imageJson(image: Image): string {
  return wellFormedJson({
    inlineData: { mimeType: image.mediaType, data: wholeText(image.data) },
  });
}

interface Where {
  /** Reference of the model the request is for. */
  readonly model: string;
  readonly names: CallNames;
}

/**
 * What a reply says on the wire; empty when nothing of it can be sent. Signatures, and parts that only the provider
 * understands, go back to the very model they came from; without its signature a thought is not sent at all.
 */
export function replyParts(message: AssistantMessage, where: Where): readonly string[] {
  const isOwn = !message.partial && message.model === where.model;
  const parts = message.blocks.flatMap((block): JsonObject[] => {
    const part = partOf(block, { isOwn, author: message.model, names: where.names });
    return part === null ? [] : [part];
  });
  const first = parts.findIndex((part) => part["functionCall"] !== undefined);
  return parts.map((part, index) =>
    wellFormedJson(index === first ? signed(part, where.model) : part),
  );
}

function signed(call: JsonObject, model: string): JsonObject {
  if (call["thoughtSignature"] !== undefined || !wantsSignature(modelName(model))) return call;
  return { ...call, thoughtSignature: noSignature };
}

interface Written {
  readonly isOwn: boolean;
  /** Reference of the model that wrote it. */
  readonly author: string;
  readonly names: CallNames;
}

function partOf(block: AssistantBlock, { isOwn, author, names }: Written): JsonObject | null {
  switch (block.type) {
    case "text": {
      const text = wholeText(block.text);
      const rest = isOwn ? ownData(block.opaque, provider) : {};
      const isSigned = rest["thoughtSignature"] !== undefined;
      return text.trim() === "" && !isSigned ? null : { text, ...rest };
    }
    case "thinking": {
      const rest = isOwn ? ownData(block.opaque, provider) : {};
      if (stringOf(rest["thoughtSignature"]) === null) return null;
      return { text: wholeText(block.text), thought: true, ...rest };
    }
    case "tool_use": {
      const functionCall = { ...names.forCall(block, author), args: block.input };
      return { functionCall, ...(isOwn ? ownData(block.opaque, provider) : {}) };
    }
    case "opaque":
      return isOwn && block.provider === provider ? objectOf(block.data) : null;
    default:
      return block satisfies never;
  }
}
