import type { Access } from "./call.ts";
import type { JsonObject } from "./json.ts";
import type { Rule } from "./rule.ts";

/** `auto` is refused by the app where no sandbox holds. */
export type Mode = "ask" | "read-only" | "edit" | "auto" | "bypass";

/** An allowance a person gave for the rest of the session. */
export interface Grant {
  readonly tool: string;
  /** null = every use; else the exact resource. */
  readonly resource: string | null;
}

export interface Policy {
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  /** Real paths of the folders that file tools may write in. */
  readonly roots: readonly string[];
  /** What becomes of a question: a person answers it, or it is denied with a hint. */
  readonly questions: "person" | "deny";
}

export interface PermissionRequest {
  readonly tool: string;
  readonly input: JsonObject;
  readonly access: Access;
  /** Real paths for file tools, the command for shells, the URL for requests. */
  readonly resources: readonly string[];
}
