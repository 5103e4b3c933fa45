import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { shownPath, trouble, type Trouble } from "../../workspace/index.ts";

/** Folders with more entries are not searched for similar names. */
const mostEntries = 5_000;

/** No file at a path: says what is near, so that a wrong path is put right without asking anyone. */
export function notThere(path: string, cwd: string, advice: string): Trouble {
  const shown = shownPath(path, cwd);
  const folder = dirname(path);
  const names = entries(folder);
  const near =
    names === null
      ? ` The folder ${shownPath(folder, cwd)} does not exist either.`
      : suggestion(similar(names, basename(path)));
  return trouble("file_not_found", `There is no file ${shown}; nothing was done.${near} ${advice}`);
}

const suggestion = (names: readonly string[]): string =>
  names.length === 0 ? "" : ` Its folder has: ${names.join(", ")}.`;

function entries(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    // Not there, or not to be read: then nothing can be suggested.
    return null;
  }
}

function similar(names: readonly string[], wanted: string): readonly string[] {
  if (names.length > mostEntries) return [];
  const stem = stemOf(wanted);
  return names
    .filter((name) => {
      const other = stemOf(name);
      return other !== "" && stem !== "" && (other.includes(stem) || stem.includes(other));
    })
    .toSorted()
    .slice(0, 5);
}

/** Without the ending and in one case. */
const stemOf = (name: string): string => name.toLowerCase().replace(/\.[^.]*$/, "");
