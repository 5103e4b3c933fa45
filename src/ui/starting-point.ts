import type { Settings } from "#app/config";
import type { Invocation } from "./command-line/invocation.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Everything a face or command starts from. */
export interface Start {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly settings: Settings;
}
