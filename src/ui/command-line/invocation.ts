import type { Rule } from "#core";
import type { Which } from "#app";
import type { Setting } from "#app/config";
import type { Language } from "#i18n";

/** A command line, read and checked. */
export interface Invocation {
  /** null = a prompt; else the command's name. */
  readonly command: string | null;
  readonly operands: readonly string[];
  readonly options: Options;
  /** Options that only commands have. */
  readonly commandOptions: ReadonlySet<string>;
}

export interface Options {
  readonly print: boolean;
  readonly outputFormat: "text" | "json" | "stream-json";
  readonly inputFormat: "text" | "stream-json";
  readonly includeSignals: boolean;
  /** File of the JSON Schema that the answer must fit. */
  readonly jsonSchema: string | null;
  readonly which: Which;
  readonly baseUrl: string | null;
  readonly fallback: string | null;
  /** What flags set, for `loadSettings`. */
  readonly settings: readonly Setting[];
  readonly rules: readonly Rule[];
  readonly sandboxOff: boolean;
  readonly addDirs: readonly string[];
  /** null = not said. */
  readonly onAsk: "deny" | "pause" | null;
  readonly cwd: string | null;
  /** null = none; "" = one with a new name. */
  readonly worktree: string | null;
  readonly configFile: string | null;
  readonly projectConfig: "read" | "ignore";
  readonly language: Language | null;
  readonly loudness: "quiet" | "normal" | "verbose";
  readonly color: boolean;
}
