import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import type { Line } from "./line.ts";

/** What an install of the built package brings: itself, and what it depends on for this machine. */
export function packageLines(): Promise<readonly Line[]> {
  const folders = [join(ROOT, "dist"), ...installedBy(join(ROOT, "dist"))];
  const bytes = folders.map(bytesIn).reduce((sum, one) => sum + one, 0);
  const plain = { floor: null } as const;
  return Promise.resolve([
    {
      id: "package-bytes",
      title: "package, installed",
      unit: "MB",
      pawl: bytes / 1e6,
      goal: { atMost: 12, of: "value" },
      ...plain,
    },
    {
      id: "packages",
      title: "packages at install",
      unit: "packages",
      pawl: folders.length,
      goal: { atMost: 6, of: "value" },
      ...plain,
    },
  ]);
}

/** Folders of all packages a package brings, found where npm has put them in this checkout. */
function installedBy(folder: string, seen: Set<string> = new Set()): readonly string[] {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text) as Partial<
    Record<string, Record<string, string>>
  >; // written by npm or by our build
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = join(ROOT, "node_modules", name);
    // Optional ones of other machines are not there.
    if (seen.has(place) || globSync(join(place, "package.json")).length === 0) continue;
    seen.add(place);
    installedBy(place, seen);
  }
  return [...seen];
}

const bytesIn = (folder: string): number =>
  globSync(join(folder, "**/*"))
    .map((path) => statSync(path))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
