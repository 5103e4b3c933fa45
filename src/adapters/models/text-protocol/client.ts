import type { ReplyBlock, WireCall } from "#core";
import type { ModelChunk, ModelClient, ModelRequest, Reply } from "#runtime";
import { failed, failureWithoutAnswer } from "../shared/network-failure.ts";
import { textReader, type Found } from "./reader.ts";
import { callsIn, isEndedByModel, readReply, stopOf } from "./reply.ts";
import { requestsAsText } from "./request.ts";

/**
 * A client for models that know no tools, over the client of any wire: descriptions of tools and the form of calls go
 * into the system prompt, calls are read out of the text of the reply, results go back as text (requirement R106).
 * Keeps the messages it has written: use one for many requests.
 */
export function textProtocol(wire: ModelClient): ModelClient {
  const outgoing = requestsAsText();

  async function* stream(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelChunk> {
    let asked: ModelRequest;
    try {
      asked = outgoing(request);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      return yield failed(failureWithoutAnswer("internal", `The model client failed: ${what}.`));
    }
    const { tools } = request;
    let shown = shownReply(request);
    for await (const chunk of wire.stream(asked, options)) {
      switch (chunk.type) {
        case "text":
          yield* shown.push(chunk.delta);
          break;
        case "restart":
          shown = shownReply(request);
          yield chunk;
          break;
        case "block":
          // Texts are told at the end, and calls of the wire's own then have their place among the others.
          if (chunk.block.type !== "text" && chunk.block.type !== "tool_use") yield chunk;
          break;
        case "end": {
          const reply = wholeReply(chunk.reply, request);
          yield* shown.end(reply);
          return yield { type: "end", reply };
        }
        case "failure":
          return yield { ...chunk, blocks: readReply(chunk.blocks, { tools, is: "cut" }).blocks };
        case "thinking":
        case "call":
          yield chunk;
          break;
        default:
          chunk satisfies never;
      }
    }
  }

  return { stream };
}

function wholeReply(reply: Reply, { tools }: ModelRequest): Reply {
  const is = isEndedByModel(reply.stop) ? "whole" : "cut";
  const { blocks, warnings } = readReply(reply.blocks, { tools, is });
  return {
    ...reply,
    blocks,
    stop: stopOf(reply.stop, blocks),
    warnings: [...reply.warnings, ...warnings],
  };
}

/** What is shown of a reply while it comes. */
function shownReply({ tools }: ModelRequest): {
  push(text: string): readonly ModelChunk[];
  end(reply: Reply): readonly ModelChunk[];
} {
  const reader = textReader(tools);
  let told = 0;

  function chunksOf(found: Found): readonly ModelChunk[] {
    switch (found.type) {
      case "text":
      case "thinking":
        return [{ type: found.type, delta: found.text }];
      case "begun":
        return [{ type: "call", tool: found.tool }];
      case "call":
        if (!found.call.complete) return [];
        told += 1;
        return [blockChunk(found.call, told - 1)];
      default:
        return found satisfies never;
    }
  }

  return {
    push: (text) => reader.push(text).flatMap(chunksOf),
    end(reply) {
      const is = isEndedByModel(reply.stop) ? "whole" : "cut";
      const rest = reader.end(is).found.filter(({ type }) => type !== "call");
      const texts = reply.blocks.filter((block) => block.type === "text");
      const calls = callsIn(reply.blocks).flatMap((call, index) =>
        index >= told && call.complete ? [blockChunk(call, index)] : [],
      );
      return [
        ...rest.flatMap(chunksOf),
        ...texts.map((block) => blockChunk(block, null)),
        ...calls,
      ];
    },
  };
}

const blockChunk = (block: ReplyBlock | WireCall, index: number | null): ModelChunk => ({
  type: "block",
  index,
  block,
});
