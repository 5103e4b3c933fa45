/** Expected trouble with a file: data, not an exception. `code` is stable, `message` is for the model. */
export interface Trouble {
  readonly type: "trouble";
  readonly code: string;
  /** What happened, what did not, what to do next. */
  readonly message: string;
}

export const trouble = (code: string, message: string): Trouble => ({
  type: "trouble",
  code,
  message,
});

export const isTrouble = (value: unknown): value is Trouble =>
  typeof value === "object" && value !== null && "type" in value && value.type === "trouble";

/** The errno label of a system error; null for anything else. */
export function errnoOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

const known: Readonly<Record<string, readonly [code: string, says: string]>> = {
  ENOENT: ["file_not_found", "there is no such file"],
  ENOTDIR: ["not_a_directory", "a part of this path is a file, not a folder"],
  EISDIR: ["is_directory", "this is a folder, not a file"],
  EACCES: ["permission_denied", "the system does not allow it (no permission)"],
  EPERM: ["permission_denied", "the system does not allow it (operation not permitted)"],
  EROFS: ["permission_denied", "the file system is read-only"],
  ETXTBSY: ["permission_denied", "the file is a program that runs right now"],
  ELOOP: ["bad_path", "its symbolic links lead in a circle, or it became a link just now"],
  ENAMETOOLONG: ["bad_path", "the path is too long"],
  ENOSPC: ["no_space", "the disk is full"],
  EDQUOT: ["no_space", "the disk quota is used up"],
  EFBIG: ["too_large", "the file would be too large for this file system"],
  EMFILE: ["io_error", "too many files are open"],
  ENXIO: ["not_regular_file", "this is a device or a socket, not a regular file"],
};

/** Turns a system error into trouble; `shown` is the path as the reader knows it. */
export function troubleOf(error: unknown, shown: string): Trouble {
  const errno = errnoOf(error);
  const entry = errno === null ? undefined : known[errno];
  if (entry !== undefined) return trouble(entry[0], `${shown}: ${entry[1]}.`);
  const said = error instanceof Error ? error.message : String(error);
  return trouble("io_error", `${shown}: ${said.slice(0, 300)}`);
}
