import type { Failure } from "./failure.ts";
import type { Json } from "./json.ts";
import { text, type LongText, type Text } from "./message.ts";

/** What the driver found when it held an answer against the schema of its prompt. */
export interface AnswerCheck {
  /** Which part does not fit, and how; null when all of it does. */
  readonly problem: string | null;
}

/** How often the model may answer anew when its answer does not fit. */
export const maxAnswerRepairs: number = 3;

/** What a model is told about the form of its answer; part of the prompt, so that it works on every wire. */
export const askForJson = (schema: LongText): readonly Text[] => [
  text(
    "[pawl] The final answer to this is read by a program: it must be one JSON value that fits the JSON Schema " +
      "below, and nothing else, neither other words nor a code fence. Use tools first as you need them; only the " +
      "reply without calls is the answer. JSON Schema:",
  ),
  text(schema),
];

/** What the model is told when its answer does not fit. */
export const askAgain = (problem: string): Text =>
  text(
    `[pawl] This answer does not fit the JSON Schema: ${problem} Answer again: the whole JSON value, corrected, ` +
      "and nothing else.",
  );

export const misfit = (problem: string): Failure => ({
  class: "bad_answer",
  message: `The answer did not fit the JSON Schema, also not when it was asked for again: ${problem}`,
  status: null,
  retryAfterMs: null,
});

/** Deeper values would end programs that read them by recursion. */
const deepestNesting = 200;

/**
 * The JSON value that an answer is, and its text. One code fence is taken off, and words around the fence with it.
 * A problem is a sentence for the model.
 */
export function jsonAnswer(
  answer: string,
): { readonly json: string; readonly value: Json } | { readonly problem: string } {
  const json = withoutFence(answer).trim();
  if (json === "") return { problem: "there is no text in it." };
  if (nesting(json) > deepestNesting) {
    return { problem: `it is nested more than ${deepestNesting} levels deep.` };
  }
  let value: Json;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problem: `it is not JSON (${String(error).slice(0, 200).toWellFormed()}).` };
  }
  return holdsInfinity(value)
    ? { problem: "it holds a number that is too large for programs to read." }
    : { json, value };
}

/** `1e999` is read as infinity, which no JSON can say: it would be handed over as null. */
function holdsInfinity(value: Json): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(holdsInfinity);
  return typeof value === "number" && !Number.isFinite(value);
}

/** No line inside JSON begins with a fence. */
function withoutFence(answer: string): string {
  const lines = answer.split("\n");
  const fences = lines.flatMap((line, index) => (/^ {0,3}```/.test(line) ? [index] : []));
  const [open, close, ...more] = fences;
  if (open === undefined || close === undefined || more.length > 0) return answer;
  return lines.slice(open + 1, close).join("\n");
}

/** Brackets inside strings do not count. A loop: a pattern would keep its way back for each character. */
function nesting(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const mark = json[index];
    if (mark === '"') isInString = !isInString;
    else if (isInString) index += mark === "\\" ? 1 : 0;
    else if (mark === "[" || mark === "{") deepest = Math.max(deepest, (depth += 1));
    else if (mark === "]" || mark === "}") depth -= 1;
  }
  return deepest;
}
