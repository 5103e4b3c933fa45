import type {
  AssistantBlock,
  AssistantMessage,
  Image,
  Message,
  Text,
  UserMessage,
} from "./message.ts";

/** What a provider may refuse in a conversation, and what can be left out of it without breaking it. */
export type Withheld = "reasoning" | "images";

/** Messages completed by these facts or earlier ones are sent without; 0 = none. */
export type Withholding = Readonly<Record<Withheld, number>>;

/** The message as the model gets it; the same object where nothing of it is withheld. */
export function asSent(message: Message, upTo: Withholding): Message {
  if (message.role === "user") return message.seq <= upTo.images ? withoutImages(message) : message;
  return message.seq <= upTo.reasoning ? withoutReasoning(message) : message;
}

/** True when withholding it would change the conversation. */
export const holds = (messages: readonly Message[], what: Withheld): boolean =>
  messages.some((message) =>
    message.role === "user"
      ? what === "images" && withoutImages(message) !== message
      : what === "reasoning" && withoutReasoning(message) !== message,
  );

/** Thinking, and all that only its provider understands: signatures, encrypted reasoning, item ids. */
function withoutReasoning(message: AssistantMessage): AssistantMessage {
  if (!message.blocks.some((block) => isReasoning(block) || "opaque" in block)) return message;
  return { ...message, blocks: message.blocks.filter((block) => !isReasoning(block)).map(bare) };
}

export const isReasoning = (block: AssistantBlock): boolean =>
  block.type === "thinking" || block.type === "opaque";

function bare(block: AssistantBlock): AssistantBlock {
  if (!("opaque" in block)) return block;
  const { opaque: _ownWords, ...rest } = block;
  return rest;
}

const imageNote =
  "[pawl] An image stood here. The provider of the model refused it, so it is left out.";

function withoutImages(message: UserMessage): UserMessage {
  if (!message.blocks.some(holdsImage)) return message;
  return {
    ...message,
    blocks: message.blocks.map((block) =>
      block.type === "tool_result"
        ? { ...block, content: block.content.map(imageAsNote) }
        : imageAsNote(block),
    ),
  };
}

const holdsImage = (block: UserMessage["blocks"][number]): boolean =>
  block.type === "image" || (block.type === "tool_result" && block.content.some(holdsImage));

function imageAsNote<Block extends Text | Image>(block: Block): Block | Text {
  return block.type === "image" ? { type: "text", text: imageNote } : block;
}
