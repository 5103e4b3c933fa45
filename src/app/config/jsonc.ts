import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

import { type Json, PawlError } from "#core";
import type { Words } from "#i18n";
import { readTextFile } from "../text-file.ts";

/** Where something stands in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A JSON value that knows where it was written. */
export interface Located {
  readonly value: Json;
  readonly place: Place;
  /** Members in file order, when it is an object. */
  readonly members: readonly (readonly [key: string, value: Located])[] | null;
  readonly items: readonly Located[] | null;
}

const maxBytes = 1_000_000;
const maxDepth = 50;

/**
 * A settings file, null when there is none. Comments and trailing commas are fine.
 * @throws PawlError `config_invalid`, with line and column
 */
export async function readJsonc(file: string, words: Words): Promise<Located | null> {
  const found = await readTextFile(file, maxBytes);
  if (found.at === "missing") return null;
  if (found.at === "unusable") {
    throw new PawlError("config_invalid", words.config.unusableFile[found.why](file));
  }
  if (found.cut) throw new PawlError("config_invalid", words.config.fileTooLong(file, maxBytes));
  return parseJsonc(found.text, file, words);
}

/** @throws PawlError `config_invalid` */
function parseJsonc(source: string, file: string, words: Words): Located {
  // Editors on some systems add it; JSON parsers stumble over it.
  const text = source.replace(/^\uFEFF/, "");
  const placeOf = placesIn(text, file);
  const fail = (offset: number, what: string): never => {
    throw invalidAt(placeOf(offset), what);
  };
  if (deepest(text) > maxDepth) fail(0, words.config.tooDeep(maxDepth));
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) fail(error.offset, words.config.syntax(printParseErrorCode(error.error)));
  if (!root) return { value: {}, place: placeOf(0), members: [], items: null };
  if (root.type !== "object") fail(root.offset, words.config.notAnObject);
  return locate(root, { placeOf, onDuplicate: (at, key) => fail(at, words.config.duplicate(key)) });
}

function placesIn(text: string, file: string): (offset: number) => Place {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((newline) => newline.index + 1)];
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

export function invalidAt(place: Place, what: string): PawlError {
  return new PawlError("config_invalid", `${place.file}:${place.line}:${place.column}: ${what}`);
}

interface Reading {
  placeOf(offset: number): Place;
  /** The later of two equal keys would silently win: a lost deny rule is too dear for that. */
  onDuplicate(offset: number, key: string): void;
}

function locate(node: Node, reading: Reading): Located {
  const place = reading.placeOf(node.offset);
  if (node.type === "array") {
    const items = (node.children ?? []).map((child) => locate(child, reading));
    return { value: items.map((item) => item.value), place, members: null, items };
  }
  if (node.type !== "object") {
    return { value: scalar(node.value), place, members: null, items: null };
  }
  const members = new Map<string, Located>();
  for (const { children, offset } of node.children ?? []) {
    const [name, value] = children ?? [];
    if (!name || !value) continue;
    const key = String(name.value);
    if (members.has(key)) reading.onDuplicate(offset, key);
    members.set(key, { ...locate(value, reading), place: reading.placeOf(offset) });
  }
  const value = Object.fromEntries([...members].map(([key, member]) => [key, member.value]));
  return { value, place, members: [...members], items: null };
}

function scalar(value: unknown): Json {
  const isJson =
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean";
  return isJson ? value : null;
}

/** Bracket depth, strings and comments left out; counted before parsing because the parser recurses. */
function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [token] of text.matchAll(
    /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[[\]{}]/g,
  )) {
    if (token === "[" || token === "{") most = Math.max(most, ++depth);
    if (token === "]" || token === "}") depth--;
  }
  return most;
}
