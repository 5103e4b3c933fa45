import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are missing; resolves with the first that was made, null when there was
 * nothing to do. Node's own recursive `mkdir` never ends where a file system says that a name is not there and does
 * not let it be made either (`/proc`). Throws the error of the file system.
 */
export async function makeFolders(path: string, mode: number): Promise<string | null> {
  const made = await makeOne(path, mode);
  if (made !== "parent_missing") return made === "made" ? path : null;
  const parent = dirname(path);
  const first = parent === path ? null : await makeFolders(parent, mode);
  // The parent is there now: whatever is wrong is wrong with this one.
  await mkdir(path, { mode }).catch(ignoreExisting);
  return first ?? path;
}

async function makeOne(path: string, mode: number): Promise<"made" | "there" | "parent_missing"> {
  try {
    await mkdir(path, { mode });
    return "made";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "parent_missing";
    ignoreExisting(error);
    return "there";
  }
}

/** Something else than a folder may be there: the first use says so. */
function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : null;
