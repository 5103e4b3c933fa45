import type { Policy } from "#core";
import type { AnyTool } from "#runtime";
import type { Settings } from "./config/index.ts";

/** Which session to work in. */
export type Which =
  | { readonly at: "new" }
  | { readonly at: "latest" }
  /** `id` may be a prefix; null = not said. */
  | { readonly at: "resume"; readonly id: string | null }
  | { readonly at: "fork"; readonly id: string; readonly seq: number | null };

export interface OpenRequest {
  readonly settings: Settings;
  /** Real path of the folder the program was started for. */
  readonly cwd: string;
  /** Where relative script files of a model are looked for. */
  readonly startedIn: string;
  /** It was named, so a session that goes on moves there. */
  readonly cwdIsChosen: boolean;
  readonly which: Which;
  /** For the chosen provider, before what the settings say. */
  readonly baseUrl: string | null;
  /** Model that steps in when the chosen one cannot be had; null = as the session had it. */
  readonly fallback: string | null;
  /** Further folders that may be written in. */
  readonly addDirs: readonly string[];
  /** Name of a git work tree to work in; "" = a new one, null = none. */
  readonly worktree: string | null;
  /** Beside the built-in tools; left out = none. */
  readonly ownTools?: readonly AnyTool[];
  readonly questions: Policy["questions"];
}
