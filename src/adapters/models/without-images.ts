import { text, type Image, type Message, type Text, type UserMessage } from "#core";
import type { ModelChunk, ModelClient, ModelRequest } from "#runtime";

/**
 * A client for a model that takes no images, over the client of any wire: a note stands where each image stood. The
 * journal keeps the images, so another model sees them. Said once to the user; keeps the messages it has changed.
 */
export function withoutImages(wire: ModelClient, ref: string): ModelClient {
  const changed = new WeakMap<Message, Message>();
  let isTold = false;

  function told(message: Message): Message {
    const known = changed.get(message);
    if (known !== undefined) return known;
    const next = message.role === "user" ? inWords(message) : message;
    changed.set(message, next);
    return next;
  }

  /** The same request when it holds no image. */
  function outgoing(request: ModelRequest): ModelRequest {
    const messages = request.messages.map(told);
    const isSame = messages.every((message, index) => message === request.messages[index]);
    return isSame ? request : { ...request, messages };
  }

  async function* stream(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelChunk> {
    const asked = outgoing(request);
    for await (const chunk of wire.stream(asked, options)) {
      if (chunk.type !== "end" || asked === request || isTold) {
        yield chunk;
        continue;
      }
      isTold = true;
      const warnings = [
        ...chunk.reply.warnings,
        `${ref} takes no images: it gets a note in the place of each.`,
      ];
      yield { type: "end", reply: { ...chunk.reply, warnings } };
    }
  }

  return { prepare: (request) => wire.prepare?.(outgoing(request)), stream };
}

const note: Text = text("[pawl] An image stands here, which this model cannot see.");

const inNotes = (content: readonly (Text | Image)[]): readonly Text[] =>
  content.map((block) => (block.type === "image" ? note : block));

function inWords(message: UserMessage): UserMessage {
  const holdsImage = message.blocks.some(
    (block) =>
      block.type === "image" ||
      (block.type === "tool_result" && block.content.some(({ type }) => type === "image")),
  );
  if (!holdsImage) return message;
  return {
    ...message,
    blocks: message.blocks.map((block) => {
      if (block.type === "image") return note;
      return block.type === "tool_result" ? { ...block, content: inNotes(block.content) } : block;
    }),
  };
}
