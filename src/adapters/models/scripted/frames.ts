import type { Usage } from "#core";
import type { ScriptedCall, ScriptedTurn } from "./script.ts";

/** One event of a stream, as bytes of the wire. */
export interface Frame {
  readonly bytes: Buffer;
  /** The call whose arguments it carries, counted from 0. */
  readonly call: number | null;
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

/** Pieces of about 20 characters, more for long texts so that there are at most some hundred; no character is cut. */
export function pieces(text: string): readonly string[] {
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

/** Arguments as the model writes them. */
export const argumentsOf = (call: ScriptedCall): string =>
  call.inputText ?? JSON.stringify(call.input);

/** Tokens of a turn: as its script says, else 100 in and a quarter of the characters out. */
export function usageOf(turn: ScriptedTurn): Usage {
  const said = [
    turn.thinking ?? "",
    turn.text ?? "",
    ...(turn.callTexts ?? []),
    ...(turn.calls ?? []).map(argumentsOf),
  ];
  return {
    input: turn.usage?.input ?? 100,
    output: turn.usage?.output ?? Math.max(1, Math.ceil(said.join("").length / 4)),
    cacheRead: turn.usage?.cacheRead ?? 0,
    cacheWrite: turn.usage?.cacheWrite ?? 0,
  };
}
