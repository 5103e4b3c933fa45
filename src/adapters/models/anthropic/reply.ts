import {
  noUsage,
  type Failure,
  type Json,
  type JsonObject,
  type ReplyBlock,
  type Usage,
} from "#core";
import type { ModelChunk } from "#runtime";
import { countOf, objectOf, stringOf } from "../shared/json-read.ts";
import type { FrameReader } from "../shared/read-stream.ts";
import { addDelta, blockSoFar, openBlock, shownAtStart, type OpenBlock } from "./block.ts";
import { stopOf } from "./stop.ts";
import { usageAfter } from "./usage.ts";

export interface ReplyOptions {
  /** Owner of opaque data. */
  readonly provider: string;
  /** The model's name until the reply tells its own. */
  readonly model: string;
  failureOfError(error: JsonObject): Failure;
}

interface Place {
  readonly block: OpenBlock;
  /** Counts the calls of the reply from 0; null for other blocks. */
  readonly callIndex: number | null;
}

interface Message {
  readonly id: string | null;
  readonly model: string;
  readonly blocks: OpenBlock[];
  /** What each index of the wire means now. */
  readonly places: Map<number, Place>;
  calls: number;
  usage: Usage | null;
  stop: { readonly label: Json | undefined } | null;
}

/**
 * Reader of the stream of the Messages API (source: "Streaming messages", Anthropic API documentation, version
 * 2023-06-01). Blocks are told apart by index; a start on a used index is a new block (field case P02).
 */
export function replyReader(options: ReplyOptions): FrameReader<JsonObject> {
  const { provider } = options;
  let message = newMessage({}, options.model);
  let hasBegun = false;
  /** The same message was announced again: it has begun anew only if a used index is opened again. */
  let isRepeated = false;
  let isOver = false;
  let failure: Failure | null = null;
  const warnings = new Set<string>();

  function accept(frame: JsonObject): readonly ModelChunk[] {
    if (isOver) return [];
    switch (stringOf(frame["type"]) ?? "") {
      case "message_start":
        return messageStart(objectOf(frame["message"]) ?? {});
      case "content_block_start":
        return blockStart(frame);
      case "content_block_delta":
        return blockDelta(frame);
      case "content_block_stop":
        return blockStop(frame);
      case "message_delta":
        return messageDelta(frame);
      case "message_stop":
        message.stop ??= { label: null };
        isOver = true;
        return [];
      case "error":
        return errorEvent(errorIn(frame));
      default:
        return []; // pings, and events of later protocol versions
    }
  }

  function messageStart(start: JsonObject): readonly ModelChunk[] {
    if (hasBegun && stringOf(start["id"]) === message.id) {
      isRepeated = true;
      return [];
    }
    hasBegun = true;
    return begin(newMessage(start, options.model));
  }

  /** Another message in the same stream: a gateway began anew, and only the last one counts. */
  function begin(next: Message): readonly ModelChunk[] {
    const isRestart = message.blocks.length > 0;
    isRepeated = false;
    message = next;
    return isRestart ? [{ type: "restart" }] : [];
  }

  function blockStart(frame: JsonObject): readonly ModelChunk[] {
    const index = countOf(frame["index"]);
    const start = objectOf(frame["content_block"]);
    if (index === null || start === null) return warn("a block without a place was skipped");
    const isAnew = isRepeated && message.places.has(index);
    const restart = isAnew ? begin({ ...newMessage({}, message.model), id: message.id }) : [];
    const block = openBlock(start);
    const callIndex = block.kind === "tool_use" ? message.calls++ : null;
    message.blocks.push(block);
    message.places.set(index, { block, callIndex });
    const shown = shownAtStart(block);
    return shown === null ? restart : [...restart, shown];
  }

  function blockDelta(frame: JsonObject): readonly ModelChunk[] {
    const place = openPlace(frame);
    const delta = objectOf(frame["delta"]);
    if (place === null || delta === null) return warn("a delta for no open block was skipped");
    const shown = addDelta(place.block, delta);
    if (shown === "alien") return warn("a delta that does not fit its block was skipped");
    return shown === null ? [] : [shown];
  }

  function blockStop(frame: JsonObject): readonly ModelChunk[] {
    const place = openPlace(frame);
    if (place === null) return warn("an end of no open block was skipped");
    const { block, callIndex } = place;
    block.isClosed = true;
    return [{ type: "block", index: callIndex, block: blockSoFar(block, provider) }];
  }

  function openPlace(frame: JsonObject): Place | null {
    const place = message.places.get(countOf(frame["index"]) ?? -1);
    return place === undefined || place.block.isClosed ? null : place;
  }

  function messageDelta(frame: JsonObject): readonly ModelChunk[] {
    const delta = objectOf(frame["delta"]) ?? {};
    const label = delta["stop_reason"];
    if (label !== undefined && label !== null) message.stop = { label };
    message.usage = usageAfter(message.usage, frame["usage"]);
    const explanation = stringOf(objectOf(delta["stop_details"])?.["explanation"]);
    return explanation === null ? [] : warn(`the provider says: ${explanation.slice(0, 400)}`);
  }

  function errorEvent(error: JsonObject): readonly ModelChunk[] {
    isOver = true;
    if (message.stop !== null) return warn("an error after the end of the reply was skipped");
    failure = options.failureOfError(error);
    return [];
  }

  function warn(text: string): readonly ModelChunk[] {
    warnings.add(text);
    return [];
  }

  function end(broken: Failure): readonly ModelChunk[] {
    const { model, stop, usage } = message;
    const blocks = message.blocks.map((block): ReplyBlock => blockSoFar(block, provider));
    if (stop === null || broken.class === "aborted") {
      return [{ type: "failure", failure: failure ?? broken, blocks, usage }];
    }
    const reply = {
      model,
      blocks,
      stop: stopOf(stop.label),
      usage: usage ?? noUsage,
      warnings: [...warnings],
    };
    return [{ type: "end", reply }];
  }

  return {
    accept,
    end,
    get isOver() {
      return isOver;
    },
    get hasStop() {
      return message.stop !== null;
    },
  };
}

/** Gateways write a bare text where the error belongs. */
function errorIn(frame: JsonObject): JsonObject {
  const error = frame["error"];
  return typeof error === "string" ? { message: error } : (objectOf(error) ?? frame);
}

function newMessage(start: JsonObject, model: string): Message {
  return {
    id: stringOf(start["id"]),
    model: stringOf(start["model"]) ?? model,
    blocks: [],
    places: new Map(),
    calls: 0,
    usage: usageAfter(null, start["usage"]),
    stop: null,
  };
}
