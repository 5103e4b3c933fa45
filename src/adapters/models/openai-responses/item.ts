import type { Json, JsonObject, ReplyBlock } from "#core";
import type { ModelChunk } from "#runtime";
import { growingText, type GrowingText } from "../shared/growing-text.ts";
import { blocksOfItem, callOf, isCall, textOf, toolOf, typeOf } from "./item-blocks.ts";

/** An output item while its deltas come. Only this file changes one. */
export interface OpenItem {
  /** As `output_item.added` gave it, and in the end as `output_item.done` does. */
  json: JsonObject;
  /** Its texts, by where they stand. */
  readonly said: Map<string, GrowingText>;
  isClosed: boolean;
  /** Counts the calls of the reply from 0; null for other items. */
  readonly callIndex: number | null;
}

/** Where a text stands in its item: in one of its lists, or as the arguments of a call. */
export interface TextPlace {
  readonly list: "summary" | "content" | "arguments";
  readonly index: number;
}

export const openItem = (json: JsonObject, callIndex: number | null): OpenItem => ({
  json,
  said: new Map(),
  isClosed: false,
  callIndex,
});

/** What may be shown when an item begins: its text may come inside the start already (field case P11). */
export function shownAtStart(item: OpenItem): readonly ModelChunk[] {
  if (isCall(item.json)) return [{ type: "call", tool: toolOf(item.json) }];
  return partsIn(item.json).flatMap(([place, text]) => addText(item, place, text));
}

/** Adds to a text; says what may be shown of it. */
export function addText(item: OpenItem, place: TextPlace, delta: string): readonly ModelChunk[] {
  if (delta === "") return [];
  const key = keyOf(place);
  const said = item.said.get(key);
  const isNext = said === undefined && item.said.size > 0;
  if (said === undefined) item.said.set(key, growingText(delta));
  else said.add(delta);
  if (place.list === "arguments") return [];
  if (typeOf(item.json) !== "reasoning") return [{ type: "text", delta }];
  // Some servers tell the same thought twice, in full and in short (field case P17): what came first is shown.
  if (place.list !== shownList(item)) return [];
  return [{ type: "thinking", delta: isNext ? `${betweenThoughts}${delta}` : delta }];
}

/** Parts of a summary are paragraphs without a line end. */
const betweenThoughts = "\n\n";

const keyOf = ({ list, index }: TextPlace): string => `${list}:${index}`;

const shownList = (item: OpenItem): string => [...item.said.keys()][0]?.split(":")[0] ?? "";

/** The item is whole. What its deltas did not bring is shown now. */
export function closeItem(item: OpenItem, json: JsonObject): readonly ModelChunk[] {
  item.json = { ...item.json, ...json };
  item.isClosed = true;
  if (isCall(item.json)) return [];
  return partsIn(item.json).flatMap(([place, text]) => {
    const soFar = item.said.get(keyOf(place))?.text() ?? "";
    return text.startsWith(soFar) ? addText(item, place, text.slice(soFar.length)) : [];
  });
}

/** The item as it stands. One that has not ended bears nothing that only its provider understands. */
export function blocksSoFar(item: OpenItem): readonly ReplyBlock[] {
  const came = textSoFar(item);
  if (isCall(item.json)) return [callOf(item.json, { came, isClosed: item.isClosed })];
  const type = typeOf(item.json);
  if (item.isClosed || (type !== "message" && type !== "reasoning")) {
    return blocksOfItem(item.json, came);
  }
  if (came === "") return [];
  return [type === "message" ? { type: "text", text: came } : { type: "thinking", text: came }];
}

function textSoFar(item: OpenItem): string {
  const first = `${shownList(item)}:`;
  const texts = [...item.said].filter(([key]) => key.startsWith(first));
  const between = typeOf(item.json) === "reasoning" ? betweenThoughts : "";
  return texts.map(([, said]) => said.text()).join(between);
}

/** The texts that an item holds itself. */
function partsIn(json: JsonObject): readonly (readonly [TextPlace, string])[] {
  return (["summary", "content"] as const).flatMap((list) => {
    const parts = json[list];
    if (!Array.isArray(parts)) return [];
    return parts.map((part: Json, index) => [{ list, index }, textOf(part)] as const);
  });
}
