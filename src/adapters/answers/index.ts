import type { CheckAnswer } from "#runtime";
import type { ReadSchema } from "./read-schema.ts";

export type { ReadSchema, SchemaProblem } from "./read-schema.ts";

/** The validator is loaded with the first answer: what a program does not use costs its start nothing. */
export const checkAnswer: CheckAnswer = async (answer, schema) =>
  (await import("./check-answer.ts")).problemOf(answer, schema);

/** Reads a JSON Schema, and says why it cannot be used before anything begins. */
export const readSchema: ReadSchema = async (text) => (await import("./read-schema.ts")).read(text);
