import { appendFile, mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";

import { type Excerpt, excerptBytes, show } from "./capture.ts";
import { defaultShownCharacters, type RunCause, type RunOutput } from "./run.ts";

export const outputPath = (runDir: string): string => join(runDir, "out");
const claimPath = (runDir: string): string => join(runDir, "claim");
const endPath = (runDir: string): string => join(runDir, "end");
const statusPath = (runDir: string): string => join(runDir, "status");
const copiedPath = (runDir: string): string => join(runDir, "copied");

export interface Claim {
  /** Null when its writer died before it could say who it is, or when the run was forbidden. */
  readonly owner: { readonly pid: number; readonly marker: string } | null;
  readonly atMs: number;
}

/** Null: nobody has claimed the run, so nothing of it was executed. */
export async function readClaim(runDir: string): Promise<Claim | null> {
  const text = await textOf(claimPath(runDir));
  if (text === null) return null;
  const [, pid, marker] = /^(\d+) ([\w-]+) claim\n$/.exec(text) ?? [];
  return {
    owner: pid && marker ? { pid: Number(pid), marker } : null,
    atMs: (await stat(claimPath(runDir))).mtimeMs,
  };
}

/**
 * Claims a run so that nobody executes it any more. False: it was claimed before, and may have run. Before
 * deciding anything on `unclaimed` but to start the run with the same folder, call this.
 */
export async function forbidRun(runDir: string): Promise<boolean> {
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  return isFirst(claimPath(runDir), "forbidden claim\n");
}

/** True for one process only, which then ends the run and calls `recordEnd`. */
export function claimEnd(runDir: string, cause: EndRecord["cause"]): Promise<boolean> {
  return isFirst(endPath(runDir), `${cause} `);
}

/** For the winner of `claimEnd`, when nothing runs any more. The recorder leaves the status, if it lived. */
export async function recordEnd(runDir: string): Promise<void> {
  const status = /^(\w+)\n$/.exec((await textOf(statusPath(runDir))) ?? "")?.[1] ?? "unknown";
  await appendFile(endPath(runDir), `${status} end\n`);
}

async function isFirst(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

export type EndRecord = ReadStatus & {
  /** `lost`: half of the supervisor was killed, so the rest ended the command. */
  readonly cause: RunCause | "lost";
};

type ReadStatus = { readonly exitCode: number | null; readonly signal: string | null };

/** Null: no end is recorded, or not to its last word. `atMs` is epoch time. */
export async function readEnd(
  runDir: string,
): Promise<(EndRecord & { readonly atMs: number }) | null> {
  const text = await textOf(endPath(runDir));
  const [, cause, status] = /^(\w+) (\w+) end\n$/.exec(text ?? "") ?? [];
  const end = parseEnd(cause, status);
  return end && { ...end, atMs: (await stat(endPath(runDir))).mtimeMs };
}

const causes = ["exit", "timeout", "cancelled", "agent_died", "lost"] as const;

/** Cause and status as the supervisor says them. */
export function parseEnd(word: string | undefined, status: string | undefined): EndRecord | null {
  const cause = causes.find((one) => one === word);
  if (status === undefined || cause === undefined) return null;
  if (!/^\d{1,3}$/.test(status)) return { exitCode: null, signal: null, cause };
  return { exitCode: Number(status), signal: signalName(Number(status) - 128), cause };
}

function signalName(number: number): string | null {
  if (number <= 0) return null;
  const named = Object.entries(constants.signals).find(([, value]) => value === number);
  return named?.[0] ?? null;
}

/** Everything the command printed is on disk, up to the disk limit. */
export const isCopied = async (runDir: string): Promise<boolean> =>
  (await textOf(copiedPath(runDir))) === "0\n";

/** The output as far as it is on disk. */
export async function readOutput(
  runDir: string,
  characters: number = defaultShownCharacters,
): Promise<RunOutput> {
  const path = outputPath(runDir);
  const excerpt = await excerptOf(path, excerptBytes(characters));
  return { ...show(excerpt, characters), path, keptBytes: excerpt.totalBytes };
}

async function excerptOf(path: string, most: { head: number; tail: number }): Promise<Excerpt> {
  const nothing = Buffer.alloc(0);
  const file = await open(path, "r").catch(() => null);
  if (file === null) return { head: nothing, tail: nothing, totalBytes: 0 };
  try {
    const totalBytes = (await file.stat()).size;
    const part = async (from: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    const tail = Math.min(most.tail, totalBytes);
    return {
      head: await part(0, Math.min(most.head, totalBytes)),
      tail: await part(totalBytes - tail, tail),
      totalBytes,
    };
  } finally {
    await file.close();
  }
}

/** Null: there is no such file. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
