import type { Fault } from "./fault.ts";
import { callsAsText } from "./calls-as-text.ts";
import type { Script, ScriptedTurn } from "./script.ts";

/** Which turn answers, and what of it goes wrong this time. */
export interface NextTurn {
  readonly index: number;
  readonly turn: ScriptedTurn;
  readonly faults: readonly Fault[];
  /** The script had ended before. */
  readonly isOver: boolean;
}

/** Hands out the turns of a script; remembers only how often each has gone wrong. */
export function turnsOf(script: Script): (index: number) => NextTurn {
  const failures = new Map<Fault, number>();
  const last = script.turns.at(-1);
  const epilogue = { text: afterwards(last) };
  return (index) => {
    const turn = script.turns[index];
    if (turn === undefined) return { index, turn: epilogue, faults: [], isOver: true };
    const faults = [turn.fault ?? []].flat().filter((fault) => {
      const soFar = failures.get(fault) ?? 0;
      failures.set(fault, soFar + 1);
      return soFar < (fault.times ?? 1);
    });
    const said = script.tools === "text" ? callsAsText(turn) : turn;
    return { index, turn: said, faults, isOver: false };
  };
}

/** After the last turn its text is said again, when it was an answer. */
function afterwards(last: ScriptedTurn | undefined): string {
  const isAnswer = last?.text !== undefined && (last.calls ?? []).length === 0;
  return isAnswer ? last.text : "The script has no more turns.";
}

export const isOverWarning: string = "the script has no more turns; its last answer was repeated";
