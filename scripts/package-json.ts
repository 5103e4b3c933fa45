import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const ROOT: string = join(import.meta.dirname, "..");

/** What the scripts read from the root package.json. */
export type PackageJson = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Reads the root package.json, which this repository writes itself. */
export function readPackageJson(): PackageJson {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as PackageJson;
}

/** The public entries: name (`pawl/core`) and source file (`src/core/index.ts`). */
export function publicEntries({ name, exports }: PackageJson): { name: string; source: string }[] {
  return Object.entries(exports)
    .filter(([, target]) => target.endsWith(".ts"))
    .map(([subpath, target]) => ({ name: name + subpath.slice(1), source: target.slice(2) }));
}

/** The source file behind a `#layer` import, or null when the map does not know it. */
export function resolveImport(specifier: string, map: PackageJson["imports"]): string | null {
  for (const [pattern, target] of Object.entries(map)) {
    const [start = "", end] = pattern.split("*");
    const matches = end === undefined ? specifier === pattern : specifier.startsWith(start);
    if (matches) return target.replace("*", specifier.slice(start.length)).replace("./", "");
  }
  return null;
}
