import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Need } from "#runtime";
import {
  diskName,
  holdFolder,
  isTrouble,
  kindTrouble,
  troubleOf,
  type Trouble,
} from "../../workspace/index.ts";
import { judgedPath } from "./judged.ts";
import { notThere } from "./not-there.ts";

/** A folder to search, kept open: whatever is done by way of `by` stays in the folder that was judged. */
export interface HeldSearch {
  /** Real path. */
  readonly folder: string;
  /** Path to enter it by. */
  readonly by: string;
  /** Name of the one file to search, when the path is a file. */
  readonly file: string | null;
  close(): Promise<void>;
}

/** Opens a folder, or the folder of a file, for searching. */
export async function heldSearch(
  written: string,
  context: { readonly cwd: string; readonly judged: Need },
): Promise<HeldSearch | Trouble> {
  const path = judgedPath(written, context);
  if (isTrouble(path)) return path;
  try {
    const stats = await lstat(diskName(path));
    // Whoever searches a pipe waits for ever.
    const special = stats.isDirectory() ? null : kindTrouble(stats, written);
    if (special !== null) return special;
    const folder = stats.isDirectory() ? path : dirname(path);
    const held = await holdFolder(folder);
    if (isTrouble(held)) return held;
    const file = stats.isDirectory() ? null : basename(path);
    return { folder, by: held.path, file, close: () => held.close() };
  } catch (error) {
    const problem = troubleOf(error, written);
    if (problem.code !== "file_not_found") return problem;
    return notThere(path, context.cwd, "Use list or glob to find the right path.");
  }
}
