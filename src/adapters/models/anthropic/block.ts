import type {
  Json,
  JsonObject,
  Opaque,
  OpaqueBlock,
  ReplyBlock,
  Text,
  Thinking,
  WireCall,
} from "#core";
import type { ModelChunk } from "#runtime";
import { callArguments, type CallArguments } from "../shared/call-arguments.ts";
import { growingText, type GrowingText } from "../shared/growing-text.ts";
import { objectOf, stringOf } from "../shared/json-read.ts";

/** A content block while its deltas come. Only this file changes one. */
export interface OpenBlock {
  readonly kind: "text" | "thinking" | "tool_use" | "opaque";
  /** As `content_block_start` gave it; opaque blocks grow here. */
  start: JsonObject;
  /** Text, thinking or arguments, piece by piece. */
  readonly said: GrowingText;
  signature: string;
  readonly citations: Json[];
  isClosed: boolean;
}

export function openBlock(start: JsonObject): OpenBlock {
  const type = start["type"];
  const kind = type === "text" || type === "thinking" || type === "tool_use" ? type : "opaque";
  const citations = start["citations"];
  return {
    kind,
    start,
    // Text may come inside the start already (field case P11).
    said: growingText(
      (kind === "text" || kind === "thinking" ? stringOf(start[kind]) : null) ?? "",
    ),
    signature: (kind === "thinking" ? stringOf(start["signature"]) : null) ?? "",
    citations: kind === "text" && Array.isArray(citations) ? [...citations] : [],
    isClosed: false,
  };
}

/** What may be shown when a block begins. */
export function shownAtStart(block: OpenBlock): ModelChunk | null {
  if (block.kind === "tool_use") return { type: "call", tool: toolOf(block) };
  if (block.kind === "opaque" || block.said.isEmpty) return null;
  return { type: block.kind, delta: block.said.text() };
}

/** Adds a delta; says what may be shown of it, or that it does not belong to this kind of block. */
export function addDelta(block: OpenBlock, delta: JsonObject): ModelChunk | "alien" | null {
  switch (stringOf(delta["type"]) ?? "") {
    case "text_delta":
      return addShown(block, "text", delta["text"]);
    case "thinking_delta":
      return addShown(block, "thinking", delta["thinking"]);
    case "signature_delta":
      if (block.kind !== "thinking") return "alien";
      block.signature += stringOf(delta["signature"]) ?? "";
      return null;
    case "citations_delta":
      if (block.kind !== "text") return "alien";
      if (delta["citation"] !== undefined) block.citations.push(delta["citation"]);
      return null;
    case "input_json_delta":
      if (block.kind !== "tool_use" && block.kind !== "opaque") return "alien";
      block.said.add(stringOf(delta["partial_json"]) ?? "");
      return null;
    default:
      // A delta of a later protocol version: known blocks ignore it, unknown blocks keep what it brings.
      if (block.kind === "opaque") block.start = grown(block.start, delta);
      return null;
  }
}

function addShown(
  block: OpenBlock,
  kind: "text" | "thinking",
  piece: Json | undefined,
): ModelChunk | "alien" | null {
  if (block.kind !== kind) return "alien";
  const delta = stringOf(piece) ?? "";
  if (delta === "") return null;
  block.said.add(delta);
  return { type: kind, delta };
}

/** Strings grow, lists grow, anything else is replaced. */
function grown(block: JsonObject, delta: JsonObject): JsonObject {
  const news = Object.entries(delta)
    .filter(([key]) => key !== "type")
    .map(([key, value]): [string, Json] => {
      const old = Object.hasOwn(block, key) ? block[key] : undefined;
      if (typeof old === "string" && typeof value === "string") return [key, old + value];
      if (Array.isArray(old) && Array.isArray(value)) return [key, [...old, ...value]];
      return [key, value];
    });
  return Object.fromEntries([...Object.entries(block), ...news]);
}

/** The block as it stands. What only the provider understands rides along unchanged. */
export function blockSoFar(block: OpenBlock, provider: string): ReplyBlock {
  switch (block.kind) {
    case "text":
      return textOf(block, provider);
    case "thinking":
      return thinkingOf(block, provider);
    case "tool_use":
      return callOf(block, provider);
    case "opaque":
      return opaqueOf(block, provider);
    default:
      return block.kind satisfies never;
  }
}

function textOf(block: OpenBlock, provider: string): Text {
  const citations = block.citations.length > 0 ? { citations: block.citations } : {};
  const data = { ...without(block.start, ["type", "text", "citations"]), ...citations };
  return { type: "text", text: block.said.text(), ...opaque(provider, data) };
}

function thinkingOf(block: OpenBlock, provider: string): Thinking {
  const signature = block.signature === "" ? {} : { signature: block.signature };
  const data = { ...without(block.start, ["type", "thinking", "signature"]), ...signature };
  return { type: "thinking", text: block.said.text(), ...opaque(provider, data) };
}

function callOf(block: OpenBlock, provider: string): WireCall {
  const { value, problem } = readInput(block);
  return {
    type: "tool_use",
    wireId: stringOf(block.start["id"]),
    tool: toolOf(block),
    input: value ?? {},
    problem,
    inputText: problem === null ? null : block.said.text(),
    complete: block.isClosed,
    ...opaque(provider, without(block.start, ["type", "id", "name", "input"])),
  };
}

function opaqueOf(block: OpenBlock, provider: string): OpaqueBlock {
  const input = block.said.isEmpty ? null : readInput(block).value;
  const data = input === null ? block.start : { ...block.start, input };
  return { type: "opaque", provider, data };
}

/** Arguments that came as deltas win over those of the start. */
function readInput(block: OpenBlock): CallArguments {
  const text = block.said.text();
  if (text.trim() === "") return { value: objectOf(block.start["input"]) ?? {}, problem: null };
  return callArguments(text);
}

const toolOf = (block: OpenBlock): string => stringOf(block.start["name"]) ?? "";

function without(start: JsonObject, known: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(start).filter(([key]) => !known.includes(key)));
}

function opaque(provider: string, data: JsonObject): { readonly opaque?: Opaque } {
  return Object.keys(data).length === 0 ? {} : { opaque: { provider, data } };
}
