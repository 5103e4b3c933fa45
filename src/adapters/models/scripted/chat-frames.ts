import type { JsonObject } from "#core";
import { argumentsOf, pieces, usageOf, type Frame } from "./frames.ts";
import type { ScriptedCall, ScriptedTurn } from "./script.ts";
import type { TurnPlace } from "./wire.ts";

/** The turn as the Chat Completions API streams it, with a comment and a chunk without choices before it. */
export function chatFrames(turn: ScriptedTurn, where: TurnPlace): readonly Frame[] {
  const head = {
    id: `chatcmpl-scripted-${where.index}`,
    object: "chat.completion.chunk",
    created: 0,
    model: where.model,
  };
  const chunk = (delta: JsonObject, call: number | null = null): Frame =>
    frame({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }, call);
  const finish = { index: 0, delta: {}, finish_reason: stopOf(turn) };
  return [
    { bytes: Buffer.from(": scripted\n\n"), call: null },
    frame({ ...head, choices: [], model: "" }),
    chunk({ role: "assistant", content: "" }),
    ...pieces(turn.thinking ?? "").map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(turn.text ?? "").map((piece) => chunk({ content: piece })),
    ...(turn.callTexts ?? []).flatMap((text, place) =>
      pieces(text).map((piece) => chunk({ content: piece }, place)),
    ),
    ...(turn.calls ?? []).flatMap((call, place) =>
      callDeltas(call, { turn: where.index, place }).map((delta) =>
        chunk({ tool_calls: [{ index: place, ...delta }] }, place),
      ),
    ),
    frame({ ...head, choices: [finish] }),
    frame({ ...head, choices: [], usage: wireUsage(turn) }),
    { bytes: Buffer.from("data: [DONE]\n\n"), call: null },
  ];
}

export const chatErrorFrame = (type: string, message: string): Frame =>
  frame({ error: { message, type, param: null, code: null } });

const frame = (data: JsonObject, call: number | null = null): Frame => ({
  bytes: Buffer.from(`data: ${JSON.stringify(data)}\n\n`),
  call,
});

function callDeltas(
  call: ScriptedCall,
  where: { readonly turn: number; readonly place: number },
): readonly JsonObject[] {
  return [
    {
      id: `call_scripted_${where.turn}_${where.place}`,
      type: "function",
      function: { name: call.tool, arguments: "" },
    },
    ...pieces(argumentsOf(call)).map((piece) => ({ function: { arguments: piece } })),
  ];
}

function wireUsage(turn: ScriptedTurn): JsonObject {
  const { input, output, cacheRead, cacheWrite } = usageOf(turn);
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
  };
}

/** Labels of this wire; any other word of a script goes out as it is. */
const labels: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  context_window: "model_context_window_exceeded",
};

function stopOf(turn: ScriptedTurn): string | null {
  if (turn.stop === undefined) return (turn.calls ?? []).length > 0 ? "tool_calls" : "stop";
  return turn.stop === null ? null : (labels[turn.stop] ?? turn.stop);
}
