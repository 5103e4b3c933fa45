import { parseTree, type Node } from "jsonc-parser";
import { isTrouble, trouble, type Trouble } from "../../workspace/index.ts";
import type { Place } from "../shared/place-changes.ts";
import { findEdits, type Edit, type FoundEdits } from "./find-edits.ts";

/** A cell's text and where it stands in the file. */
interface Cell {
  /** Position of its text in the text of all cells. */
  readonly start: number;
  readonly text: string;
  /** The string, or the list of lines. */
  readonly node: Node;
}

/** Between cells; no old text fits over it. */
const gap = "\n\u0000\n";

/**
 * Finds edits in the texts of a notebook's cells, as `read` shows them. Only the lines of a cell that change are
 * written anew, in the form the file has them. Null when the file is no notebook.
 */
export function findInCells(
  flat: string,
  edits: readonly Edit[],
  shown: string,
): FoundEdits | Trouble | null {
  const cells = cellsOf(flat);
  if (cells === null) return null;
  const found = findEdits(cells.map(({ text }) => text).join(gap), edits, shown);
  if (isTrouble(found)) return found;
  const places: Place[] = [];
  for (const cell of cells) {
    const end = cell.start + cell.text.length;
    const own = found.places.filter(({ from, to }) => from >= cell.start && to <= end);
    if (own.length > 0) places.push(rewritten(flat, cell, own));
  }
  const inside = found.places.every((place) =>
    cells.some(({ start, text }) => place.from >= start && place.to <= start + text.length),
  );
  if (inside) return { places, tolerated: found.tolerated };
  return trouble(
    "not_found",
    `old_text reaches over the end of a cell of ${shown}; nothing was changed.`,
  );
}

function cellsOf(flat: string): readonly Cell[] | null {
  const nodes = valueOf(parseTree(flat), "cells")?.children;
  if (nodes === undefined) return null;
  const cells: Cell[] = [];
  let start = 0;
  for (const node of nodes) {
    const source = valueOf(node, "source");
    if (source === undefined) continue;
    const text = (source.type === "array" ? (source.children ?? []) : [source])
      .map(({ value }) => (typeof value === "string" ? value : ""))
      .join("");
    cells.push({ start, text, node: source });
    start += text.length + gap.length;
  }
  return cells;
}

const valueOf = (node: Node | undefined, name: string): Node | undefined =>
  node?.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];

/** The whole value of the cell, with every line that stays as it is written now. */
function rewritten(flat: string, { start, text, node }: Cell, own: readonly Place[]): Place {
  let now = "";
  let at = 0;
  for (const place of own) {
    now += text.slice(at, place.from - start) + place.text;
    at = place.to - start;
  }
  now += text.slice(at);
  const span = { from: node.offset, to: node.offset + node.length };
  if (node.type !== "array") return { ...span, text: JSON.stringify(now) };
  const raw = (one: Node): string => flat.slice(one.offset, one.offset + one.length);
  const old = node.children ?? [];
  const known = new Map(old.map((one) => [one.value, raw(one)]));
  const lines = (now.match(/[^\n]*\n|[^\n]+/g) ?? []).map(
    (line) => known.get(line) ?? JSON.stringify(line),
  );
  const [first, second] = old;
  const last = old.at(-1);
  if (first === undefined || last === undefined) return { ...span, text: `[${lines.join(", ")}]` };
  const before = flat.slice(span.from + 1, first.offset);
  const between =
    second === undefined
      ? `,${before || " "}`
      : flat.slice(first.offset + first.length, second.offset);
  const after = flat.slice(last.offset + last.length, span.to - 1);
  return { ...span, text: `[${before}${lines.join(between)}${after}]` };
}
