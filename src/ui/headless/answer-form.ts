import { resolve } from "node:path";

import type { OpenRequest } from "#app";
import type { Command } from "#core";

/** What each prompt says of its answer. */
export type AnswerForm = Pick<Extract<Command, { type: "prompt" }>, "answerSchema">;

/**
 * The form that `--json-schema FILE` asks for; nothing is loaded without it.
 * @throws PawlError `schema_invalid`
 */
export async function answerForm(file: string | null, request: OpenRequest): Promise<AnswerForm> {
  if (file === null) return {};
  const { answerSchemaIn } = await import("#app");
  return {
    answerSchema: await answerSchemaIn(resolve(request.startedIn, file), request.settings.words),
  };
}
