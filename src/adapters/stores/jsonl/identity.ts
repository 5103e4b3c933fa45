import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { EpochMs } from "#core";

const identityName = "session.json";

/** Where and when a session began, written once, when its folder is made. */
export interface Identity {
  /** Full real path. */
  readonly cwd: string;
  readonly createdAt: EpochMs;
}

export async function writeIdentity(folder: string, identity: Identity): Promise<void> {
  const text = `${JSON.stringify({ v: 1, ...identity })}\n`;
  await writeFile(join(folder, identityName), text, { mode: 0o600, flag: "wx", flush: true });
}

/** Null when it is missing or damaged: the journal then has to say. */
export function readIdentity(folder: string): Identity | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, identityName), "utf8"));
    if (typeof value !== "object" || value === null) return null;
    if (!("cwd" in value) || typeof value.cwd !== "string") return null;
    if (!("createdAt" in value) || typeof value.createdAt !== "number") return null;
    return { cwd: value.cwd, createdAt: value.createdAt };
  } catch {
    // Missing, or not JSON.
    return null;
  }
}
