import type { Json, JsonObject } from "#core";
import { countOf, stringOf } from "../shared/json-read.ts";
import { isCall } from "./item-blocks.ts";
import { openItem, type OpenItem } from "./item.ts";

/** The items of one reply, in order, and what each id and each index of the wire means now. */
export interface Items {
  readonly all: readonly OpenItem[];
  /** A new item; on a used index it takes that place. */
  open(json: JsonObject, index: Json | undefined): OpenItem;
  /** By id, else by index: gateways give one item several ids. */
  find(id: Json | undefined, index: Json | undefined): OpenItem | null;
  byId(id: Json | undefined): OpenItem | null;
}

export function items(): Items {
  const all: OpenItem[] = [];
  const ids = new Map<string, OpenItem>();
  const places = new Map<number, OpenItem>();
  let calls = 0;
  const byId = (id: Json | undefined): OpenItem | null => ids.get(stringOf(id) ?? "") ?? null;
  return {
    all,
    open(json, index) {
      const item = openItem(json, isCall(json) ? calls++ : null);
      const id = stringOf(json["id"]) ?? "";
      const place = countOf(index);
      all.push(item);
      if (id !== "") ids.set(id, item);
      if (place !== null) places.set(place, item);
      return item;
    },
    find: (id, index) => byId(id) ?? places.get(countOf(index) ?? -1) ?? null,
    byId,
  };
}
