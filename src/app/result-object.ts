import type { RunResult, State } from "#core";

/** The result as programs read it (contract, section 3). */
export interface ResultObject {
  readonly type: "result";
  readonly session_id: string;
  readonly seq: number;
  readonly outcome: RunResult["outcome"];
  readonly limit: RunResult["limit"];
  readonly stop: RunResult["stop"];
  readonly text: string;
  readonly structured: null;
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

/** @param text the answer, whole (a long one is kept outside the state) */
export function resultObject(state: State, result: RunResult, text: string): ResultObject {
  const { usage } = result;
  return {
    type: "result",
    session_id: state.sessionId,
    seq: state.seq,
    outcome: result.outcome,
    limit: result.limit,
    stop: result.stop,
    text,
    structured: null,
    warnings: result.warnings,
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

export const resumeCommand = (state: { readonly sessionId: string }): string =>
  `pawl -r ${state.sessionId}`;

/** A path inside the session's folder as people write it; any other stays whole. */
export const inFolder = (path: string, folder: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
