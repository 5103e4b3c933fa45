/** What the file system says when it fails, in plain words. */
import { PawlError } from "#core";

const room = "Make room, then try again.";
const rights = "Check who owns the folder and whether it can be written.";
const health = "Check the disk.";
const load = "Close some programs, then try again.";

const plain: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  ENOSPC: ["the disk is full", room],
  EDQUOT: ["the disk quota is used up", room],
  EFBIG: ["the file has reached the largest size allowed", room],
  EROFS: ["the file system is read-only", rights],
  EACCES: ["access is denied", rights],
  EPERM: ["access is denied", rights],
  ENOENT: ["it is not there", rights],
  ENOTDIR: ["a part of its path is not a folder", rights],
  ELOOP: ["its links go in a circle", rights],
  EIO: ["the disk reports an error", health],
  EMFILE: ["too many files are open", load],
  ENFILE: ["too many files are open", load],
};

export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** Something was to be written and was not. */
export const journalFailed = (what: string, cause: unknown): PawlError =>
  new PawlError("journal_failed", `${what} failed: ${trouble(cause)}`, {
    cause,
    values: { why: errorCode(cause) ?? trouble(cause) },
  });

export const unreadable = (path: string, cause: unknown): PawlError =>
  new PawlError("journal_unreadable", `Reading ${path} failed: ${trouble(cause)}`, {
    cause,
    values: { path },
  });

function trouble(error: unknown): string {
  const code = errorCode(error) ?? "";
  const [what, advice] = plain[code] ?? [
    error instanceof Error ? error.message : String(error),
    health,
  ];
  return `${what}${code in plain ? ` (${code})` : ""}. ${advice}`;
}
