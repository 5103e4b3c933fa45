import { readSchema, type SchemaProblem } from "#adapters/answers";
import { PawlError } from "#core";
import type { Words } from "#i18n";
import { readTextFile } from "./text-file.ts";

/** Bytes; what may be used is checked again, and more of it is never read. */
const maxBytes = 1_000_000;

/**
 * The JSON Schema of a file, as a prompt takes it.
 * @throws PawlError `schema_invalid`
 */
export async function answerSchemaIn(file: string, words: Words): Promise<string> {
  const found = await readTextFile(file, maxBytes);
  if (found.at === "missing") throw invalid(words.answerSchema.missing(file));
  if (found.at === "unusable") throw invalid(words.answerSchema.unusable(file));
  return usable(found.text, { name: file, words });
}

/**
 * A JSON Schema as a program gives it, as a prompt takes it.
 * @throws PawlError `schema_invalid`
 */
export const answerSchemaOf = (schema: unknown, words: Words): Promise<string> =>
  usable(JSON.stringify(schema) ?? "", { name: "answerSchema", words });

async function usable(
  text: string,
  { name, words }: { readonly name: string; readonly words: Words },
): Promise<string> {
  const read = await readSchema(text);
  if ("schema" in read) return read.schema;
  throw invalid(words.answerSchema.wrong(name, whatIsWrong(read.problem, words)));
}

const invalid = (message: string): PawlError => new PawlError("schema_invalid", message);

function whatIsWrong(problem: SchemaProblem, { answerSchema }: Words): string {
  switch (problem.at) {
    case "not_json":
      return answerSchema.notJson(problem.detail);
    case "not_an_object":
      return answerSchema.notAnObject;
    case "too_large":
      return answerSchema.tooLarge(problem.most);
    case "too_deep":
      return answerSchema.tooDeep(problem.most);
    case "no_such_reference":
      return answerSchema.noSuchReference(problem.reference);
    case "no_schema":
      return answerSchema.noSchema(problem.place, problem.detail);
    case "endless":
      return answerSchema.endless;
    default:
      return problem satisfies never;
  }
}
