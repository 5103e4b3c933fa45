/** What the file system says when it fails, in plain words. */
import { PawlError } from "#core";

const plain: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file has reached the largest size allowed",
  EROFS: "the file system is read-only",
  EACCES: "access is denied",
  EPERM: "access is denied",
  EIO: "the disk reports an error",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOENT: "it is not there",
  ENOTDIR: "its folder is not a folder",
  ELOOP: "its links go in a circle",
};

function diskTrouble(error: unknown): string {
  const code = errorCode(error);
  if (code !== null && code in plain) return `${plain[code]} (${code})`;
  return error instanceof Error ? error.message : String(error);
}

export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

export function journalFailed(what: string, cause: unknown): PawlError {
  return new PawlError(
    "journal_failed",
    `${what} failed: ${diskTrouble(cause)}. Nothing of it counts. Make room or mend the disk, then go on.`,
    { cause },
  );
}

export function unreadable(path: string, cause: unknown): PawlError {
  return new PawlError("journal_unreadable", `${path} cannot be read: ${diskTrouble(cause)}.`, {
    cause,
  });
}
