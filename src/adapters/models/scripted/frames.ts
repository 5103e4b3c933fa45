import type { Json, JsonObject } from "#core";
import type { ScriptedCall, ScriptedTurn } from "./script.ts";

/** One event of a stream, as bytes of the wire. */
export interface Frame {
  readonly bytes: Buffer;
  /** The call whose arguments it carries, counted from 0. */
  readonly call: number | null;
}

/** The turn as the Messages API streams it, ping and all. Ids are functions of the turn's number. */
export function framesOf(
  turn: ScriptedTurn,
  where: { readonly index: number; readonly model: string },
): readonly Frame[] {
  const usage = usageOf(turn);
  const message = {
    model: where.model,
    id: `msg_scripted_${where.index}`,
    type: "message",
    role: "assistant",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const end = {
    type: "message_delta",
    delta: { stop_reason: stopOf(turn), stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
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

/** A whole stream taken as it is, cut after each blank line. */
export function framesOfStream(stream: string | Uint8Array): readonly Frame[] {
  const text = Buffer.from(stream).toString("latin1");
  const frames: Frame[] = [];
  let event = "";
  for (const line of text.split(/(?<=\r\n|\n|\r(?!\n))/)) {
    event += line;
    if (line.trim() !== "") continue;
    frames.push({ bytes: Buffer.from(event, "latin1"), call: null });
    event = "";
  }
  return event === "" ? frames : [...frames, { bytes: Buffer.from(event, "latin1"), call: null }];
}

export const errorFrame = (type: string, message: string): Frame =>
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
  const json = call.inputText ?? JSON.stringify(call.input);
  return {
    start: { type: "tool_use", id, name: call.tool, input: {} },
    deltas: ["", ...pieces(json)].map((piece) => ({
      type: "input_json_delta",
      partial_json: piece,
    })),
    call: where.place,
  };
}

/** Pieces of about 20 characters, more for long texts so that there are at most some hundred; no character is cut. */
function pieces(text: string): readonly string[] {
  const length = Math.max(20, Math.ceil(text.length / 300));
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    const wanted = from + length;
    const cutsCharacter = /[\uD800-\uDBFF]/.test(text[wanted - 1] ?? "");
    const to = cutsCharacter ? wanted + 1 : wanted;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

function usageOf(turn: ScriptedTurn): JsonObject & { readonly output_tokens: number } {
  const calls = (turn.calls ?? []).map((call) => call.inputText ?? JSON.stringify(call.input));
  const chars = [turn.thinking ?? "", turn.text ?? "", ...calls].join("").length;
  return {
    input_tokens: turn.usage?.input ?? 100,
    cache_creation_input_tokens: turn.usage?.cacheWrite ?? 0,
    cache_read_input_tokens: turn.usage?.cacheRead ?? 0,
    output_tokens: turn.usage?.output ?? Math.max(1, Math.ceil(chars / 4)),
  };
}

function stopOf(turn: ScriptedTurn): Json {
  if (turn.stop !== undefined) {
    return turn.stop === "context_window" ? "model_context_window_exceeded" : turn.stop;
  }
  return (turn.calls ?? []).length > 0 ? "tool_use" : "end_turn";
}
