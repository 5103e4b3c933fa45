import type { Json, JsonObject } from "#core";
import { argumentsOf, pieces, usageOf, type Frame } from "./frames.ts";
import type { ScriptedCall, ScriptedTurn } from "./script.ts";

/** The turn as the Messages API streams it, ping and all. Ids are functions of the turn's number. */
export function anthropicFrames(
  turn: ScriptedTurn,
  where: { readonly index: number; readonly model: string },
): readonly Frame[] {
  const { input, output, cacheRead, cacheWrite } = usageOf(turn);
  const inputUsage = {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  };
  const message = {
    model: where.model,
    id: `msg_scripted_${where.index}`,
    type: "message",
    role: "assistant",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage, output_tokens: 1 },
  };
  const end = {
    type: "message_delta",
    delta: { stop_reason: stopOf(turn), stop_sequence: null },
    usage: { output_tokens: output },
  };
  return [
    frame({ type: "message_start", message }),
    frame({ type: "ping" }),
    ...blocksOf(turn, where.index).flatMap(blockFrames),
    frame(end),
    frame({ type: "message_stop" }),
  ];
}

function frame(data: JsonObject & { readonly type: string }, call: number | null = null): Frame {
  return { bytes: Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`), call };
}

export const anthropicErrorFrame = (type: string, message: string): Frame =>
  frame({ type: "error", error: { type, message } });

interface WireBlock {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
  readonly call: number | null;
}

function blocksOf(turn: ScriptedTurn, index: number): readonly WireBlock[] {
  return [
    ...(turn.thinking === undefined ? [] : [thinkingBlock(turn.thinking, index)]),
    ...(turn.text === undefined ? [] : [textBlock(turn.text)]),
    ...(turn.callTexts ?? []).map((text, call) => ({ ...textBlock(text), call })),
    ...(turn.calls ?? []).map((call, place) => callBlock(call, { turn: index, place })),
  ];
}

function blockFrames({ start, deltas, call }: WireBlock, index: number): readonly Frame[] {
  return [
    frame({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => frame({ type: "content_block_delta", index, delta }, call)),
    frame({ type: "content_block_stop", index }),
  ];
}

function thinkingBlock(thinking: string, index: number): WireBlock {
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...pieces(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature: btoa(`scripted ${index}`) },
    ],
    call: null,
  };
}

function textBlock(text: string): WireBlock {
  return {
    start: { type: "text", text: "" },
    deltas: pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
    call: null,
  };
}

function callBlock(
  call: ScriptedCall,
  where: { readonly turn: number; readonly place: number },
): WireBlock {
  const id = `toolu_scripted_${where.turn}_${where.place}`;
  const json = argumentsOf(call);
  return {
    start: { type: "tool_use", id, name: call.tool, input: {} },
    deltas: ["", ...pieces(json)].map((piece) => ({
      type: "input_json_delta",
      partial_json: piece,
    })),
    call: where.place,
  };
}

function stopOf(turn: ScriptedTurn): Json {
  if (turn.stop !== undefined) {
    return turn.stop === "context_window" ? "model_context_window_exceeded" : turn.stop;
  }
  return (turn.calls ?? []).length > 0 ? "tool_use" : "end_turn";
}
