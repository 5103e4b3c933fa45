import type { RunResult } from "#core";

/** Every way the program ends. */
type Ending = RunResult["outcome"] | "usage" | "terminated";

/** Contract, section 2. */
export const exitCodes: Readonly<Record<Ending, number>> = {
  completed: 0,
  failed: 1,
  usage: 2,
  truncated: 3,
  limit: 4,
  refused: 5,
  waiting: 6,
  unknown_stop: 7,
  interrupted: 130,
  terminated: 143,
};

/** Codes of errors that mean: called wrongly or set up wrongly. Everything else that is thrown failed. */
const usageErrors: ReadonlySet<string> = new Set([
  "usage",
  "not_in_this_version",
  "config_invalid",
  "limits_missing",
  "unknown_model",
  "no_model",
  "no_key",
  "price_unknown",
  "invalid_base_url",
  "no_base_url",
  "script_unreadable",
  "script_invalid",
  "schema_invalid",
  "session_not_found",
  "session_ambiguous",
  "session_folder_gone",
  "folder_missing",
]);

export const exitCodeOfError = (code: string): number =>
  usageErrors.has(code) ? exitCodes.usage : exitCodes.failed;
