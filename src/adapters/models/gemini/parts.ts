import type { Json, JsonObject, Opaque, ReplyBlock, WireCall } from "#core";
import type { GrowingText } from "../shared/growing-text.ts";
import { stringOf } from "../shared/json-read.ts";
import type { PartialArgs } from "./partial-args.ts";
import { provider } from "./provider.ts";

/** A block of the reply while its parts come. */
export type OpenBlock =
  | OpenText
  | OpenCall
  | { readonly kind: "opaque"; readonly data: JsonObject };

interface OpenText {
  readonly kind: "text" | "thinking";
  readonly said: GrowingText;
  /** What came beside the text: a signature belongs to its very part, which is joined with no other. */
  readonly rest: JsonObject;
}

export interface OpenCall {
  readonly kind: "call";
  readonly tool: string;
  readonly wireId: string | null;
  readonly args: PartialArgs;
  rest: JsonObject;
  isClosed: boolean;
  /** Counts the calls of the reply from 0. */
  readonly callIndex: number;
}

/** The block as it stands. */
export function blockSoFar(block: OpenBlock): ReplyBlock {
  switch (block.kind) {
    case "text":
    case "thinking":
      return { type: block.kind, text: block.said.text(), ...opaque(block.rest) };
    case "call":
      return callOf(block);
    case "opaque":
      return { type: "opaque", provider, data: block.data };
    default:
      return block satisfies never;
  }
}

function callOf(call: OpenCall): WireCall {
  const args = call.args.read();
  return {
    type: "tool_use",
    wireId: call.wireId,
    tool: call.tool,
    input: args.value ?? {},
    problem: args.problem,
    inputText: args.problem === null ? null : args.text,
    complete: call.isClosed,
    ...opaque(call.rest),
  };
}

function opaque(data: JsonObject): { readonly opaque?: Opaque } {
  return Object.keys(data).length === 0 ? {} : { opaque: { provider, data } };
}

export function without(part: JsonObject, known: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([key]) => !known.includes(key)));
}

export const idOf = (value: Json | undefined): string | null => {
  const id = stringOf(value);
  return id === "" ? null : id;
};
