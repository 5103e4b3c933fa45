import { jsonAnswer, type Json, type RunResult, type State, wellFormed } from "#core";
import type { OpenedSession } from "./opened.ts";

/** The result as programs read it (contract, section 3). */
export interface ResultObject {
  readonly type: "result";
  readonly session_id: string;
  readonly seq: number;
  readonly outcome: RunResult["outcome"];
  readonly limit: RunResult["limit"];
  readonly stop: RunResult["stop"];
  readonly text: string;
  /** The answer as a value, when a JSON Schema was asked for and it fits; else null. */
  readonly structured: Json;
  readonly warnings: readonly string[];
  readonly turns: number;
  readonly tool_calls: number;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cache_read: number;
    readonly cache_write: number;
  };
  /** null when a price is unknown: unknown is never 0. */
  readonly cost_usd: number | null;
  readonly files_modified: readonly string[];
  readonly denials: RunResult["denials"];
  readonly duration_ms: number;
  readonly resume: string;
}

type Whole = Pick<OpenedSession, "whole">;

/** Half characters of old journals become U+FFFD: programs cannot read them. */
export async function resultObject(
  state: State,
  result: RunResult,
  { whole }: Whole,
): Promise<ResultObject> {
  const { usage } = result;
  const text = await whole(result.text);
  const answer = await answerJson(state, { whole });
  return {
    type: "result",
    session_id: state.sessionId,
    seq: state.seq,
    outcome: result.outcome,
    limit: result.limit,
    stop: result.stop,
    text: typeof text === "string" ? text.toWellFormed() : "",
    structured: answer === null ? null : wellFormed(answer.value),
    warnings: result.warnings.map((warning) => warning.toWellFormed()),
    turns: result.turns,
    tool_calls: result.toolCalls,
    usage: {
      input: usage.input,
      output: usage.output,
      cache_read: usage.cacheRead,
      cache_write: usage.cacheWrite,
    },
    cost_usd: result.costUsd,
    files_modified: result.filesModified.map((path) => inFolder(path, state.cwd)),
    denials: result.denials,
    duration_ms: result.durationMs,
    resume: resumeCommand(state),
  };
}

/** The answer, when it has to be JSON and is: as the model wrote it, and as a value. Null when it is not. */
export async function answerJson(
  { prompt }: State,
  { whole }: Whole,
): Promise<{ readonly json: string; readonly value: Json } | null> {
  const answer = prompt.answerFits ? await whole(prompt.answer) : null;
  const found = typeof answer === "string" ? jsonAnswer(answer) : null;
  return found === null || "problem" in found ? null : found;
}

export const resumeCommand = (state: { readonly sessionId: string }): string =>
  `pawl -r ${state.sessionId}`;

/** A path inside the session's folder as people write it; any other stays whole. */
export const inFolder = (path: string, folder: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
