import { noUsage, type Failure, type Json, type JsonObject, type Usage } from "#core";
import type { ModelChunk } from "#runtime";
import { countOf, objectOf, stringOf } from "../shared/json-read.ts";
import type { FrameReader } from "../shared/read-stream.ts";
import { unreadable } from "./frame.ts";
import { isCall, textOf, typeOf } from "./item-blocks.ts";
import {
  addText,
  blocksSoFar,
  closeItem,
  shownAtStart,
  type OpenItem,
  type TextPlace,
} from "./item.ts";
import { items, type Items } from "./items.ts";
import { stopOf } from "./stop.ts";
import { usageOf } from "./usage.ts";

export interface ReplyOptions {
  /** The model's name until the reply tells its own. */
  readonly model: string;
  failureOfError(error: JsonObject): Failure;
}

/**
 * Reader of the stream of the Responses API (source: "Streaming events", OpenAI API reference, 2026-11). Items are told
 * apart by id, else by index; a start with a new id on a used index is a new item (field case P02).
 */
export function replyReader(options: ReplyOptions): FrameReader<JsonObject> {
  let { model } = options;
  let id: string | null = null;
  let found: Items = items();
  let refuses = false;
  /** The response as its last event told it. */
  let last: JsonObject | null = null;
  let failure: Failure | null = null;
  let usage: Usage | null = null;
  const warnings = new Set<string>();

  function accept(frame: JsonObject): readonly ModelChunk[] {
    if (last !== null || failure !== null) return [];
    const type = typeOf(frame);
    const list = textEvents.get(type);
    if (list !== undefined) return textDelta(frame, list);
    switch (type) {
      case "response.created":
        return begin(objectOf(frame["response"]));
      case "response.output_item.added":
        return itemAdded(frame);
      case "response.content_part.added":
        return partAdded(frame);
      case "response.output_item.done":
        return itemDone(frame);
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return over(type.slice("response.".length), frame);
      case "response": // a server that does not stream
        return over("completed", frame);
      case "error":
        return broken(objectOf(frame["error"]) ?? without(frame, "type"));
      default:
        return []; // progress of tools the provider runs, and events of later versions
    }
  }

  /** Another response in the same stream: a gateway began anew, and only the last one counts. */
  function begin(response: JsonObject | null): readonly ModelChunk[] {
    if (response === null || (id !== null && response["id"] === id)) return [];
    const isRestart = found.all.length > 0;
    id = stringOf(response["id"]);
    model = stringOf(response["model"]) ?? model;
    found = items();
    refuses = false;
    return isRestart ? [{ type: "restart" }] : [];
  }

  function itemAdded(frame: JsonObject): readonly ModelChunk[] {
    const json = objectOf(frame["item"]);
    if (json === null) return warn("an item without content was skipped");
    if (found.byId(json["id"]) !== null) return [];
    return shownAtStart(found.open(json, frame["output_index"]));
  }

  function partAdded(frame: JsonObject): readonly ModelChunk[] {
    const text = textOf(frame["part"] ?? null);
    return text === "" ? [] : textDelta({ ...frame, delta: text }, "content");
  }

  function textDelta(frame: JsonObject, list: TextPlace["list"]): readonly ModelChunk[] {
    const item = found.find(frame["item_id"], frame["output_index"]);
    if (item === null || item.isClosed) return warn("a delta for no open item was skipped");
    if ((list === "arguments") !== isCall(item.json)) {
      return warn("a delta that does not fit its item was skipped");
    }
    const delta = stringOf(frame["delta"]) ?? "";
    if (typeOf(frame) === "response.refusal.delta" && delta !== "") refuses = true;
    const index = countOf(frame[list === "summary" ? "summary_index" : "content_index"]) ?? 0;
    return addText(item, { list, index }, delta);
  }

  function itemDone(frame: JsonObject): readonly ModelChunk[] {
    const json = objectOf(frame["item"]);
    if (json === null) return warn("an item without content was skipped");
    const known = found.find(json["id"], frame["output_index"]);
    if (known === null || typeOf(known.json) !== typeOf(json)) {
      return openAndClose(json, frame["output_index"]);
    }
    return known.isClosed ? warn("an item that had ended was told again") : close(known, json);
  }

  function openAndClose(json: JsonObject, index: Json | undefined): readonly ModelChunk[] {
    const item = found.open(json, index);
    return [...shownAtStart(item), ...close(item, json)];
  }

  function close(item: OpenItem, json: JsonObject): readonly ModelChunk[] {
    const shown = closeItem(item, json);
    if (isRefusal(item.json)) refuses = true;
    if (item.json["status"] === "incomplete") return shown;
    const blocks = blocksSoFar(item).map((block): ModelChunk => ({
      type: "block",
      index: item.callIndex,
      block,
    }));
    return [...shown, ...blocks];
  }

  function over(status: string, frame: JsonObject): readonly ModelChunk[] {
    if (frame[unreadable] === true) warn("the end of the reply could not be read");
    const response = objectOf(frame["response"]) ?? {};
    usage = usageOf(response["usage"]);
    model = stringOf(response["model"]) ?? model;
    const told = { ...response, status: stringOf(response["status"]) ?? status };
    if (told.status === "failed" || told.status === "cancelled") {
      return broken(objectOf(response["error"]) ?? { message: `the response is ${told.status}` });
    }
    const shown = adopt(response["output"]);
    last = told;
    return shown;
  }

  /** Items of a server that streams nothing but the end; else only what had begun and was not told to its end. */
  function adopt(output: Json | undefined): readonly ModelChunk[] {
    const told = (Array.isArray(output) ? output : []).map((json: Json) => objectOf(json) ?? {});
    const isAll = found.all.length === 0;
    return told.flatMap((json) => {
      const known = found.byId(json["id"]);
      if (known?.isClosed === false) return close(known, json);
      return isAll && known === null ? openAndClose(json, undefined) : [];
    });
  }

  function broken(error: JsonObject): readonly ModelChunk[] {
    failure = options.failureOfError(error);
    return [];
  }

  function warn(text: string): readonly ModelChunk[] {
    warnings.add(text);
    return [];
  }

  function end(cut: Failure): readonly ModelChunk[] {
    const blocks = found.all.flatMap(blocksSoFar);
    if (last === null || cut.class === "aborted") {
      return [{ type: "failure", failure: failure ?? cut, blocks, usage }];
    }
    const stop = stopOf(last, {
      call: blocks.some((block) => block.type === "tool_use"),
      refusal: refuses,
    });
    const reply = { model, blocks, stop, usage: usage ?? noUsage, warnings: [...warnings] };
    return [{ type: "end", reply }];
  }

  return {
    accept,
    end,
    get isOver() {
      return last !== null || failure !== null;
    },
    get hasStop() {
      return last !== null;
    },
  };
}

/** Events that bring a piece of a text, and which text. */
const textEvents: ReadonlyMap<string, TextPlace["list"]> = new Map([
  ["response.output_text.delta", "content"],
  ["response.refusal.delta", "content"],
  ["response.reasoning_text.delta", "content"],
  ["response.reasoning_summary_text.delta", "summary"],
  ["response.function_call_arguments.delta", "arguments"],
  ["response.custom_tool_call_input.delta", "arguments"],
]);

function isRefusal({ content }: JsonObject): boolean {
  return (
    Array.isArray(content) &&
    content.some((part: Json) => typeOf(objectOf(part) ?? {}) === "refusal")
  );
}

function without(frame: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(frame).filter(([name]) => name !== key));
}
