import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

import { type Declarations, emitDeclarations, findSpecifiers } from "../declarations.ts";
import { readPackageJson, resolveImport } from "../package-json.ts";

const { imports } = readPackageJson();

/**
 * Writes the declarations that the public entries reach. Imports are rewritten to relative `.js`
 * paths, which every TypeScript user can resolve. A declaration that needs a package is an error:
 * the package is bundled, so users do not have its types.
 */
export function writeTypes(folder: string, entries: readonly { readonly source: string }[]): void {
  const declarations = emitDeclarations();
  const waiting = entries.map((entry) => entry.source);
  const written = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (written.has(path)) continue;
    written.add(path);
    const { text, targets } = rewrite(path, declarations);
    const file = join(folder, path.replace(/^src\//, "").replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    waiting.push(...targets);
  }
}

function rewrite(path: string, declarations: Declarations): { text: string; targets: string[] } {
  const before = declarations.get(path);
  if (before === undefined) throw new Error(`${path} has no declarations`);
  const targets: string[] = [];
  let text = before;
  for (const { start, end, value } of findSpecifiers(before).toReversed()) {
    if (value.startsWith("node:")) continue;
    const target = value.startsWith(".")
      ? posix.join(posix.dirname(path), value)
      : resolveImport(value, imports);
    if (target === null) throw new Error(`the public types of ${path} need the package "${value}"`);
    targets.push(target);
    const relative = posix.relative(posix.dirname(path), target).replace(/\.ts$/, ".js");
    const specifier = relative.startsWith(".") ? relative : `./${relative}`;
    text = `${text.slice(0, start)}"${specifier}"${text.slice(end)}`;
  }
  return { text, targets };
}
