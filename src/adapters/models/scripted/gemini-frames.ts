import type { Json, JsonObject } from "#core";
import { argumentsOf, pieces, usageOf, type Frame } from "./frames.ts";
import type { ScriptedCall, ScriptedTurn } from "./script.ts";
import type { TurnPlace } from "./wire.ts";

/**
 * The turn as Gemini streams it: arguments of plain values piece by piece, others whole. There are no broken arguments
 * on this wire: those of `inputText` come as a text where an object belongs.
 */
export function geminiFrames(turn: ScriptedTurn, where: TurnPlace): readonly Frame[] {
  const usage = usageOf(turn);
  const common = { modelVersion: where.model, responseId: `scripted_${where.index}` };
  const metadata = {
    promptTokenCount: usage.input + usage.cacheRead + usage.cacheWrite,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.cacheRead + usage.cacheWrite + usage.output,
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
  };
  const finish = finishOf(turn);
  const last = {
    content: { role: "model", parts: [{ text: "" }] },
    index: 0,
    ...(finish === null ? {} : { finishReason: finish }),
  };
  return [
    ...partsOf(turn, where.index).map(({ part, call }) => {
      const candidate = { content: { role: "model", parts: [part] }, index: 0 };
      return frame({ candidates: [candidate], ...common }, call);
    }),
    frame({ candidates: [last], usageMetadata: metadata, ...common }),
  ];
}

function frame(data: JsonObject, call: number | null = null): Frame {
  return { bytes: Buffer.from(`data: ${JSON.stringify(data)}\n\n`), call };
}

export const geminiErrorFrame = (status: string, message: string): Frame =>
  frame({ error: { code: 503, message, status } });

interface Part {
  readonly part: JsonObject;
  readonly call: number | null;
}

function partsOf(turn: ScriptedTurn, index: number): readonly Part[] {
  const said = (text: string | undefined, more: JsonObject, call: number | null): readonly Part[] =>
    pieces(text ?? "").map((piece) => ({ part: { text: piece, ...more }, call }));
  return [
    ...said(turn.thinking, { thought: true }, null),
    ...said(turn.text, {}, null),
    ...(turn.callTexts ?? []).flatMap((text, place) => said(text, {}, place)),
    ...(turn.calls ?? []).flatMap((call, place) =>
      callParts(call, { turn: index, place }).map((part) => ({ part, call: place })),
    ),
  ];
}

/** The first call of a reply bears its signature. */
function callParts(
  call: ScriptedCall,
  where: { readonly turn: number; readonly place: number },
): readonly JsonObject[] {
  const signature = where.place === 0 ? { thoughtSignature: btoa(`scripted ${where.turn}`) } : {};
  const head = { id: `call_scripted_${where.turn}_${where.place}`, name: call.tool };
  if (call.inputText !== undefined || !isPlain(call.input)) {
    const args = call.inputText === undefined ? call.input : argumentsOf(call);
    return [{ functionCall: { ...head, args }, ...signature }];
  }
  const values = Object.entries(call.input).flatMap(([name, value]) => valuePieces(name, value));
  return [
    { functionCall: { ...head, willContinue: true }, ...signature },
    ...values.map((piece) => ({ functionCall: { partialArgs: [piece], willContinue: true } })),
    { functionCall: {} },
  ];
}

const isPlain = (input: JsonObject): boolean =>
  Object.values(input).every((value) => typeof value !== "object" || value === null);

function valuePieces(name: string, value: Json): readonly JsonObject[] {
  const jsonPath = /^\w+$/.test(name) ? `$.${name}` : `$['${name.replaceAll(/[\\']/g, "\\$&")}']`;
  if (typeof value === "string") {
    return [
      ...pieces(value).map((piece) => ({ jsonPath, stringValue: piece, willContinue: true })),
      { jsonPath, stringValue: "" },
    ];
  }
  if (typeof value === "number") return [{ jsonPath, numberValue: value }];
  return typeof value === "boolean"
    ? [{ jsonPath, boolValue: value }]
    : [{ jsonPath, nullValue: "NULL_VALUE" }];
}

const finishes: Readonly<Record<string, string>> = {
  end_turn: "STOP",
  tool_use: "STOP",
  stop_sequence: "STOP",
  max_tokens: "MAX_TOKENS",
  refusal: "PROHIBITED_CONTENT",
  content_filter: "SAFETY",
};

const finishOf = ({ stop }: ScriptedTurn): string | null =>
  stop === null ? null : (finishes[stop ?? "end_turn"] ?? stop ?? "STOP");
