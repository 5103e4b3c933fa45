import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Folder of the outside fixtures; null when they are not there (an error in CI). */
export function fixturesFolder(): string | null {
  const shared = resolve(
    process.env["PAWL_FIXTURES"] ?? join(import.meta.dirname, "..", "..", "..", "shared"),
  );
  const folder = join(shared, "fixtures");
  if (existsSync(folder)) return folder;
  if ((process.env["CI"] ?? "") !== "")
    throw new Error(`no fixtures in ${shared}: set PAWL_FIXTURES`);
  return null;
}

export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
