import type { Json, JsonObject } from "#core";
import { isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";

/** Arguments of one call, which may come whole or piece by piece, each piece with the path of its value. */
export interface PartialArgs {
  /** The `args` of a part: the whole, or what pieces are put into. */
  whole(args: Json | undefined): void;
  piece(wire: Json): void;
  read(): Args;
}

type Args =
  | { readonly value: JsonObject; readonly problem: null }
  | { readonly value: null; readonly problem: string; readonly text: string };

/** A value of one path: strings grow piece by piece and are joined once (field case P16). */
interface Leaf {
  value: string[] | Json;
  /** More of the same string is to follow. */
  grows: boolean;
}

/** Source: `PartialArg`, Vertex AI reference: paths as in RFC 9535, one value each. */
export function partialArgs(): PartialArgs {
  let base: Json = {};
  const leaves = new Map<string, Leaf>();

  function piece(wire: Json): void {
    const part = objectOf(wire) ?? {};
    const path = stringOf(part["jsonPath"]) ?? "";
    const value = valueOf(part);
    const known = leaves.get(path);
    const grows = part["willContinue"] === true;
    if (value === undefined) {
      if (known !== undefined) known.grows = grows;
    } else if (typeof value === "string" && known?.grows === true && isPieces(known.value)) {
      known.value.push(value);
      known.grows = grows;
    } else {
      leaves.set(path, { value: typeof value === "string" ? [value] : value, grows });
    }
  }

  function read(): Args {
    if (!isJsonObject(base)) return unusable("not an object", base);
    const root = nodeOf(base);
    for (const [path, leaf] of leaves) {
      const keys = keysOf(path);
      if (keys === null || !place(root, keys, textOf(leaf))) {
        return unusable("not a whole: a piece names a place that cannot be", told());
      }
    }
    const value = jsonOf(root);
    return isJsonObject(value) ? { value, problem: null } : unusable("not an object", value);
  }

  const told = (): Json =>
    Object.fromEntries([...leaves].map(([path, leaf]): [string, Json] => [path, textOf(leaf)]));

  return {
    whole(args) {
      if (args !== undefined && args !== null) base = args;
    },
    piece,
    read,
  };
}

const unusable = (problem: string, value: Json): Args => ({
  value: null,
  problem,
  text: JSON.stringify(value),
});

const isPieces = (value: string[] | Json): value is string[] => Array.isArray(value);

const textOf = ({ value }: Leaf): Json => (isPieces(value) ? value.join("") : value);

function valueOf(part: JsonObject): string | number | boolean | null | undefined {
  const { stringValue, numberValue, boolValue } = part;
  if (typeof stringValue === "string") return stringValue;
  if (typeof numberValue === "number") return numberValue;
  if (typeof boolValue === "boolean") return boolValue;
  return part["nullValue"] === undefined ? undefined : null;
}

/** `$.a[0]['b c']` → `a`, 0, `b c`; null when it is no path, or one without an end. */
function keysOf(path: string): readonly (string | number)[] | null {
  if (!path.startsWith("$") || path.length > longestPath) return null;
  const keys: (string | number)[] = [];
  const step = /\.([^.[\]]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;
  for (let at = 1; at < path.length; at = step.lastIndex) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (found === null || keys.length >= deepest) return null;
    const [, name, index, single, double] = found;
    keys.push(index === undefined ? unescaped(name ?? single ?? double ?? "") : Number(index));
  }
  return keys.length === 0 ? null : keys;
}

const unescaped = (name: string): string => name.replaceAll(/\\(.)/g, "$1");

const longestPath = 4096;
const deepest = 100;

/** Objects are maps while they are built: no name of a property can do anything but name it. */
type Node = Map<string, Node> | Node[] | { readonly leaf: Json };

function nodeOf(value: Json): Node {
  if (Array.isArray(value)) return value.map((item: Json) => nodeOf(item));
  if (!isJsonObject(value)) return { leaf: value };
  return new Map(Object.entries(value).map(([key, item]) => [key, nodeOf(item)]));
}

function jsonOf(node: Node): Json {
  if (node instanceof Map) {
    return Object.fromEntries([...node].map(([key, child]) => [key, jsonOf(child)]));
  }
  return Array.isArray(node) ? node.map(jsonOf) : node.leaf;
}

/** False when there is no such place: an entry of what is no list, or one far behind its end. */
function place(root: Node, keys: readonly (string | number)[], value: Json): boolean {
  let node = root;
  for (const [depth, key] of keys.entries()) {
    const next = keys[depth + 1];
    const fresh: Node =
      next === undefined ? { leaf: value } : typeof next === "number" ? [] : new Map();
    const child = enter(node, key, { fresh, replace: next === undefined });
    if (child === null) return false;
    node = child;
  }
  return true;
}

function enter(
  node: Node,
  key: string | number,
  how: { readonly fresh: Node; readonly replace: boolean },
): Node | null {
  if (node instanceof Map) {
    const name = String(key);
    const child = how.replace ? how.fresh : (node.get(name) ?? how.fresh);
    node.set(name, child);
    return child;
  }
  if (!Array.isArray(node) || typeof key !== "number" || key > node.length) return null;
  const child = how.replace ? how.fresh : (node[key] ?? how.fresh);
  node[key] = child;
  return child;
}
