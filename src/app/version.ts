import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** This program's version: from the nearest package.json of that name above this file (checkout or package). */
export function programVersion(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const version = versionIn(join(folder, "package.json"));
    if (version !== null) return version;
    // Bundled into somebody else's program.
    if (dirname(folder) === folder) return "unknown";
  }
}

function versionIn(file: string): string | null {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof found !== "object" || found === null) return null;
    if (!("name" in found && found.name === "pawl" && "version" in found)) return null;
    return String(found.version);
  } catch {
    // Not there, or not ours: the next folder up is looked at.
    return null;
  }
}
