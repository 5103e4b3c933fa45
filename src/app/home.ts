import { homedir } from "node:os";
import { join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a user's settings and sessions are. */
export interface Home {
  readonly folder: string;
  readonly config: string;
  readonly policy: string;
  readonly instructions: string;
  readonly sessions: string;
}

/** `PAWL_HOME`, else `.pawl` in the user's home. */
export function homeOf(environment: Environment): Home {
  const named = environment["PAWL_HOME"];
  const folder = named ? resolve(named) : join(environment["HOME"] ?? homedir(), ".pawl");
  return {
    folder,
    config: join(folder, "config.jsonc"),
    policy: join(folder, "policy.jsonc"),
    instructions: join(folder, "instructions.md"),
    sessions: join(folder, "sessions"),
  };
}
