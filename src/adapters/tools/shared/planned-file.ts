import type { Stats } from "node:fs";
import type { Hash } from "#core";

/** Bytes; larger files are neither edited nor kept for undo. */
export const mostFileBytes: number = 64 << 20;

/** One file and the bytes it is to have, worked out without changing anything. */
export interface FileChange {
  /** Real path. */
  readonly path: string;
  /** Null when there is no file yet. */
  readonly before: {
    readonly hash: Hash;
    readonly stats: Stats;
    readonly bytes: Buffer;
  } | null;
  /** Null: the file is removed. */
  readonly after: Buffer | null;
  /** Whose mode and owner the file has afterwards; null: by the umask. */
  readonly like: Stats | null;
  /** Lines of the new file that are new, 1-based and inclusive; null when there are none. */
  readonly lines: readonly [from: number, to: number] | null;
  /** What a successful run says. */
  readonly message: string;
  /** The model knows all of the new content then. */
  readonly isKnown: boolean;
}
