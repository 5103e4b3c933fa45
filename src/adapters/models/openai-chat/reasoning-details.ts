import type { Json, JsonObject } from "#core";
import { stringOf } from "../shared/json-read.ts";

/**
 * `reasoning_details` of a stream, put together: pieces of one item (same type and index) are joined, signatures and
 * ids are kept as they came last. Source: "Reasoning tokens", OpenRouter documentation: the sequence of items must go
 * back as it came.
 */
export interface ReasoningDetails {
  add(items: readonly JsonObject[]): void;
  /** Null when there were none. */
  whole(): readonly Json[] | null;
}

const grown = ["text", "summary", "data"];

interface Item {
  /** The last fields that came. */
  fields: JsonObject;
  /** Piece by piece: joined once. */
  readonly parts: Map<string, string[]>;
}

export function reasoningDetails(): ReasoningDetails {
  const items: Item[] = [];

  function add(item: JsonObject): void {
    const last = items.at(-1);
    const goesOn =
      last !== undefined &&
      last.fields["type"] === item["type"] &&
      last.fields["index"] === item["index"];
    const target = goesOn ? last : { fields: {}, parts: new Map<string, string[]>() };
    if (!goesOn) items.push(target);
    const before = target.fields;
    const news = Object.entries(item).filter(
      ([name, value]) => value !== null || !Object.hasOwn(before, name),
    );
    target.fields = Object.fromEntries([...Object.entries(before), ...news]);
    for (const name of grown) {
      const piece = stringOf(item[name]);
      if (piece === null) continue;
      const pieces = target.parts.get(name);
      if (pieces === undefined) target.parts.set(name, [piece]);
      else pieces.push(piece);
    }
  }

  return {
    add(list) {
      for (const item of list) add(item);
    },
    whole() {
      if (items.length === 0) return null;
      return items.map(({ fields, parts }) => {
        const texts = [...parts].map(([name, pieces]): [string, Json] => [name, pieces.join("")]);
        return Object.fromEntries([...Object.entries(fields), ...texts]);
      });
    },
  };
}
