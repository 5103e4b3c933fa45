import type { ResultObject } from "#app";
import { isPawlError } from "#core";
import { jsonLine } from "./json-line.ts";

/** The result of what could not begin: no session, and why. */
interface FailedResult extends Omit<ResultObject, "session_id" | "resume"> {
  readonly session_id: null;
  readonly resume: null;
  readonly error: { readonly code: string; readonly message: string };
}

/** The line for programs when a session could not be opened (contract, section 3). */
export function failedResult(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).toWellFormed();
  const result: FailedResult = {
    type: "result",
    session_id: null,
    seq: 0,
    outcome: "failed",
    limit: null,
    stop: null,
    text: "",
    structured: null,
    warnings: [message],
    turns: 0,
    tool_calls: 0,
    usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    cost_usd: 0,
    files_modified: [],
    denials: [],
    duration_ms: 0,
    resume: null,
    error: { code: isPawlError(error) ? error.code : "internal", message },
  };
  return jsonLine(result);
}
