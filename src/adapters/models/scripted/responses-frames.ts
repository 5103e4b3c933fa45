import type { Json, JsonObject } from "#core";
import { argumentsOf, pieces, usageOf, type Frame } from "./frames.ts";
import type { ScriptedCall, ScriptedTurn } from "./script.ts";
import type { TurnPlace } from "./wire.ts";

/** The turn as the Responses API streams it. Ids are functions of the turn's number. */
export function responsesFrames(turn: ScriptedTurn, where: TurnPlace): readonly Frame[] {
  const items = itemsOf(turn, where.index);
  const response = {
    id: `resp_scripted_${where.index}`,
    object: "response",
    model: where.model,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const end = endOf(turn);
  const output = items.map(({ done }) => done);
  const usage = wireUsage(turn);
  return [
    frame("response.created", { response }),
    frame("response.in_progress", { response }),
    ...items.flatMap(itemFrames),
    frame(end.type, { response: { ...response, output, usage, ...end.response } }),
  ];
}

function frame(type: string, fields: JsonObject, call: number | null = null): Frame {
  const data = JSON.stringify({ type, ...fields });
  return { bytes: Buffer.from(`event: ${type}\ndata: ${data}\n\n`), call };
}

export const responsesErrorFrame = (code: string, message: string): Frame =>
  frame("error", { code, message, param: null });

interface Item {
  readonly added: JsonObject;
  /** Events between its start and its end. */
  readonly events: readonly (readonly [type: string, fields: JsonObject])[];
  readonly done: JsonObject;
  readonly call: number | null;
}

function itemFrames(item: Item, index: number): readonly Frame[] {
  const place = { item_id: item.done["id"] ?? null, output_index: index };
  return [
    frame("response.output_item.added", { output_index: index, item: item.added }),
    ...item.events.map(([type, fields]) => frame(type, { ...place, ...fields }, item.call)),
    frame("response.output_item.done", { output_index: index, item: item.done }),
  ];
}

function itemsOf(turn: ScriptedTurn, index: number): readonly Item[] {
  return [
    ...(turn.thinking === undefined ? [] : [reasoningItem(turn.thinking, index)]),
    ...(turn.text === undefined ? [] : [messageItem(turn, turn.text, `${index}`)]),
    ...(turn.callTexts ?? []).map((text, call) => ({
      ...messageItem(turn, text, `${index}_${call}`),
      call,
    })),
    ...(turn.calls ?? []).map((call, place) => callItem(call, { turn: index, place })),
  ];
}

function reasoningItem(thinking: string, index: number): Item {
  const item = { type: "reasoning", id: `rs_scripted_${index}` };
  const part = { type: "summary_text", text: thinking };
  return {
    added: { ...item, summary: [] },
    events: [
      ["response.reasoning_summary_part.added", { summary_index: 0, part: { ...part, text: "" } }],
      ...deltas("response.reasoning_summary_text.delta", thinking, { summary_index: 0 }),
      ["response.reasoning_summary_text.done", { summary_index: 0, text: thinking }],
    ],
    done: { ...item, summary: [part], encrypted_content: btoa(`scripted ${index}`) },
    call: null,
  };
}

function messageItem(turn: ScriptedTurn, text: string, name: string): Item {
  const item = { type: "message", id: `msg_scripted_${name}`, role: "assistant" };
  const refuses = turn.stop === "refusal";
  const part = refuses
    ? { type: "refusal", refusal: text }
    : { type: "output_text", text, annotations: [] };
  const empty = refuses ? { ...part, refusal: "" } : { ...part, text: "" };
  const place = { content_index: 0 };
  return {
    added: { ...item, status: "in_progress", content: [] },
    events: [
      ["response.content_part.added", { ...place, part: empty }],
      ...deltas(refuses ? "response.refusal.delta" : "response.output_text.delta", text, place),
      ["response.content_part.done", { ...place, part }],
    ],
    done: { ...item, status: "completed", content: [part] },
    call: null,
  };
}

function callItem(
  call: ScriptedCall,
  where: { readonly turn: number; readonly place: number },
): Item {
  const id = `${where.turn}_${where.place}`;
  const item = {
    type: "function_call",
    id: `fc_scripted_${id}`,
    call_id: `call_scripted_${id}`,
    name: call.tool,
  };
  const text = argumentsOf(call);
  return {
    added: { ...item, arguments: "", status: "in_progress" },
    events: [
      ...deltas("response.function_call_arguments.delta", text, {}),
      ["response.function_call_arguments.done", { arguments: text }],
    ],
    done: { ...item, arguments: text, status: "completed" },
    call: where.place,
  };
}

const deltas = (
  type: string,
  text: string,
  place: JsonObject,
): readonly (readonly [string, JsonObject])[] =>
  pieces(text).map((delta) => [type, { ...place, delta }] as const);

function wireUsage(turn: ScriptedTurn): JsonObject {
  const { input, output, cacheRead, cacheWrite } = usageOf(turn);
  const inputTokens = input + cacheRead + cacheWrite;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + output,
  };
}

interface End {
  readonly type: string;
  readonly response: JsonObject;
}

/** The wire has labels for replies that are not complete only. */
function endOf({ stop }: ScriptedTurn): End {
  switch (stop) {
    case undefined:
    case "end_turn":
    case "tool_use":
    case "stop_sequence":
    case "refusal":
      return { type: "response.completed", response: { status: "completed" } };
    case "max_tokens":
      return incomplete("max_output_tokens");
    case "context_window":
      return {
        type: "response.failed",
        response: {
          status: "failed",
          error: {
            code: "context_length_exceeded",
            message: "Your input exceeds the context window of this model.",
          },
        },
      };
    case null:
    default:
      return incomplete(stop);
  }
}

const incomplete = (reason: Json): End => ({
  type: "response.incomplete",
  response: { status: "incomplete", incomplete_details: reason === null ? null : { reason } },
});
