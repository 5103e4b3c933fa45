import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * How this very program is started from a shell: by its name where the PATH has it, else by its file, as in a checkout
 * that was not linked.
 */
export function ownCommand(file: string, searchPath: string): string {
  const real = realPath(file);
  const isOnPath = searchPath
    .split(delimiter)
    .some((folder) => folder !== "" && real !== null && realPath(join(folder, "pawl")) === real);
  return isOnPath ? "pawl" : `node ${/^[\w./@+-]+$/.test(file) ? file : `'${file}'`}`;
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // There is no such file.
    return null;
  }
}
