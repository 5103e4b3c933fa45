import type { Json, JsonObject, WireCall } from "#core";
import { callArguments } from "../shared/call-arguments.ts";
import { countOf, objectOf, stringOf } from "../shared/json-read.ts";

/** A call while its deltas come. Only this file changes one. */
export interface OpenCall {
  wireId: string | null;
  tool: string;
  /** Arguments, piece by piece: joined once, so that the work is linear (field case P16). */
  parts: string[];
  /** Characters of all parts. */
  chars: number;
  /** What must come back with the call: signatures of the model behind a gateway. */
  extra: Json | null;
  readonly scan: Scan;
}

/** How far the arguments have been looked at, to see whether their outermost bracket is closed. */
interface Scan {
  part: number;
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
  isWhole: boolean;
}

/** The calls of one reply, in the order in which they began. */
export interface CallTable {
  /** Adds what one chunk says of calls; gives those it opened and those it named. */
  accept(entries: readonly Json[]): {
    readonly opened: readonly OpenCall[];
    readonly named: readonly OpenCall[];
  };
}

/** One entry of `tool_calls`, read. */
interface Entry {
  readonly id: string | null;
  readonly index: number | null;
  readonly name: string | null;
  readonly text: string | null;
  /** Arguments given as an object, not as text. */
  readonly object: JsonObject | null;
  readonly extra: Json | null;
}

/**
 * Tells calls apart. The reference says: by index, with id and name in the first delta. Servers leave out or repeat
 * any of the three, so: a known id wins over the index; a new id on a used index is a new call; a delta with neither
 * belongs to the call that is not whole yet (field cases P02, P04, P05, P13).
 */
export function callTable(): CallTable {
  const calls: OpenCall[] = [];
  const byId = new Map<string, OpenCall>();
  const byIndex = new Map<number, OpenCall>();

  function find(entry: Entry): OpenCall | null {
    const { id, index, name } = entry;
    const there = index === null ? undefined : byIndex.get(index);
    const known = id === null ? undefined : byId.get(id);
    if (known !== undefined) {
      const opensIndex = index !== null && there === undefined && name !== null;
      if (opensIndex) return isUnderWay(known) ? known : null;
      return startsAnother(known, entry) ? null : known;
    }
    if (id !== null) return there !== undefined && mayTakeId(there, entry) ? there : null;
    if (there !== undefined) return startsAnother(there, entry) ? null : there;
    const last = calls.at(-1);
    if (index === null) return last === undefined || startsAnother(last, entry) ? null : last;
    if (name !== null) return null;
    const isBlank = (entry.text ?? "").trim() === "" && entry.object === null;
    return calls.findLast((call) => !isWhole(call)) ?? (isBlank ? (last ?? null) : null);
  }

  function open(): OpenCall {
    const scan = { part: 0, depth: 0, isInString: false, isEscaped: false, isWhole: false };
    const call: OpenCall = { wireId: null, tool: "", parts: [], chars: 0, extra: null, scan };
    calls.push(call);
    return call;
  }

  function keep(call: OpenCall, { id, index }: Entry): void {
    if (id !== null) {
      call.wireId ??= id;
      byId.set(id, call);
    }
    if (index !== null) byIndex.set(index, call);
  }

  return {
    accept(entries) {
      const touched = new Set<OpenCall>();
      const opened: OpenCall[] = [];
      const named: OpenCall[] = [];
      for (const entry of entries.map(readEntry)) {
        const found = find(entry);
        // Two entries of one list that both have a name are two calls, whatever else they share.
        const isNext = found !== null && entry.name !== null && touched.has(found);
        const call = found === null || isNext ? open() : found;
        if (call !== found) opened.push(call);
        touched.add(call);
        keep(call, entry);
        const wasUnnamed = call.tool === "";
        grow(call, entry);
        if (wasUnnamed && call.tool !== "") named.push(call);
      }
      return { opened, named };
    },
  };
}

function readEntry(json: Json): Entry {
  const entry = objectOf(json) ?? {};
  const call = objectOf(entry["function"]) ?? {};
  const given = call["arguments"];
  const isText = typeof given === "string" || given === undefined || given === null;
  const object = objectOf(given);
  return {
    id: filled(entry["id"]),
    index: countOf(entry["index"]),
    name: filled(call["name"]),
    text: isText ? filled(given) : object === null ? JSON.stringify(given) : null,
    object,
    extra: objectOf(entry["extra_content"]),
  };
}

/** Empty strings stand for "as before" (field case: `id: ""` in later deltas). */
const filled = (value: Json | undefined): string | null => (value === "" ? null : stringOf(value));

/** Names come whole, again in every delta, growing, or in pieces before the arguments begin. */
function grow(call: OpenCall, { name, text, object, extra }: Entry): void {
  if (name !== null && name !== call.tool && call.parts.length === 0) {
    call.tool = name.startsWith(call.tool) ? name : call.tool + name;
  } else if (call.tool === "" && name !== null) {
    call.tool = name;
  }
  if (text !== null && !isRepeat(call, text)) {
    call.parts.push(text);
    call.chars += text.length;
  }
  if (object !== null) {
    call.parts = [JSON.stringify(object)];
    call.chars = call.parts[0]?.length ?? 0;
    call.scan.isWhole = true;
  }
  call.extra = extra ?? call.extra;
}

/** Whole arguments that come once more do not become wrong ones. */
const isRepeat = (call: OpenCall, text: string): boolean =>
  text.length === call.chars && isWhole(call) && call.parts.join("") === text;

/** A server that makes up an id for each delta goes on with the call; one with a name opens another. */
function mayTakeId(there: OpenCall, entry: Entry): boolean {
  if (there.wireId === null) return !startsAnother(there, entry);
  return entry.name === null && there.tool !== "" && !isWhole(there);
}

/** A delta for a call that is there already, or the head of another one in the same place? */
function startsAnother(call: OpenCall, { name, text, object }: Entry): boolean {
  if (name === null || call.tool === "" || call.parts.length === 0) return false;
  if (name !== call.tool) return true;
  if (!isWhole(call)) return false;
  return object !== null || (text !== null && !isRepeat(call, text));
}

const isUnderWay = (call: OpenCall): boolean => call.parts.length > 0 && !isWhole(call);

/** The outermost bracket is closed. Looks at each character once, however often it is asked. */
function isWhole({ parts, scan }: OpenCall): boolean {
  for (; scan.part < parts.length; scan.part += 1) scanPart(parts[scan.part] ?? "", scan);
  return scan.isWhole;
}

function scanPart(text: string, scan: Scan): void {
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (scan.isInString) {
      if (scan.isEscaped) scan.isEscaped = false;
      else if (sign === "\\") scan.isEscaped = true;
      else if (sign === '"') scan.isInString = false;
    } else if (sign === '"') scan.isInString = true;
    else if (sign === "{" || sign === "[") scan.depth += 1;
    else if (sign === "}" || sign === "]") {
      scan.depth -= 1;
      if (scan.depth === 0) scan.isWhole = true;
    }
  }
}

/** The call as it stands. What must come back with it rides along unchanged. */
export function callSoFar(
  call: OpenCall,
  about: { readonly provider: string; readonly complete: boolean },
): WireCall {
  const text = call.parts.join("");
  const { value, problem } = callArguments(text);
  return {
    type: "tool_use",
    wireId: call.wireId,
    tool: call.tool,
    input: value ?? {},
    problem,
    inputText: problem === null ? null : text,
    complete: about.complete,
    ...(call.extra === null
      ? {}
      : { opaque: { provider: about.provider, data: { extra_content: call.extra } } }),
  };
}
