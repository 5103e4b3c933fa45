import { posix } from "node:path";

import { type PackageJson, resolveImport } from "../package-json.ts";
import { findCycles } from "./cycles.ts";
import { layerOf, mayImport, mayImportAdapter, mayImportPackage } from "./layers.ts";
import type { Import, SourceFile } from "./source-file.ts";

type ImportMap = PackageJson["imports"];

const NEEDS_REASON_ABOVE_LINES = 250;
const MOST_LINES = 400;
const FORBIDDEN_NAMES = /^(utils?|helpers?|common|misc|managers?|base)$/;
const FORBIDDEN_WORDS = /^(utils?|helpers?|misc|managers?)$/;

/** Everything wrong with a tree of sources, one line each; empty when all rules hold. */
export function checkArchitecture(files: readonly SourceFile[], map: ImportMap): string[] {
  const paths = new Set(files.map((file) => file.path));
  const graph = new Map<string, readonly string[]>();
  const problems: string[] = [];
  for (const file of files) {
    const targets = file.imports.map((one) => resolve(file.path, one.specifier, map));
    graph.set(
      file.path,
      targets.filter((target): target is string => target !== null && paths.has(target)),
    );
    problems.push(...checkFile(file));
    file.imports.forEach((one, index) => {
      const problem = checkImport({ file, one, target: targets[index] ?? null, paths });
      if (problem) problems.push(`${file.path}: ${problem}`);
    });
  }
  problems.push(...findCycles(graph).map((cycle) => `import cycle: ${cycle.join(" → ")}`));
  return problems;
}

function checkFile(file: SourceFile): string[] {
  const problems: string[] = [];
  const say = (problem: string): number => problems.push(`${file.path}: ${problem}`);
  if (layerOf(file.path) === null) say("is in no layer");
  if (file.hasDefaultExport) say("has a default export");
  for (const name of file.path.replace(/(\.[a-z]+)+$/, "").split("/")) {
    const forbidden =
      FORBIDDEN_NAMES.test(name) || name.split("-").some((w) => FORBIDDEN_WORDS.test(w));
    if (forbidden) say(`"${name}" names no idea; name it after what is in it`);
  }
  if (file.path.endsWith(".generated.ts")) return problems;
  if (file.lines > MOST_LINES) say(`has ${file.lines} lines, more than ${MOST_LINES}`);
  else if (file.lines > NEEDS_REASON_ABOVE_LINES && !file.startsWithComment) {
    say(`has ${file.lines} lines; above ${NEEDS_REASON_ABOVE_LINES} the first line says why`);
  }
  return problems;
}

type ImportCheck = {
  readonly file: SourceFile;
  readonly one: Import;
  readonly target: string | null;
  readonly paths: ReadonlySet<string>;
};

function checkImport({ file, one, target, paths }: ImportCheck): string | null {
  const from = layerOf(file.path);
  const { specifier } = one;
  if (from === null) return null;
  if (specifier === null) return "imports a computed name";
  if (one.passesAllOn) return `passes on all of "${specifier}"; name what it exports`;
  if (target === null) {
    return mayImportPackage(from, specifier) ? null : `${from} imports "${specifier}"`;
  }
  if (target.endsWith(".ts") && !paths.has(target)) return `"${specifier}" is not there`;
  const to = layerOf(target);
  if (to === null) return `"${specifier}" is in no layer`;
  if (from === to) {
    if (specifier.startsWith("#")) return `"${specifier}" is its own layer; use a relative path`;
    const allowed = from !== "adapters" || mayImportAdapter(file.path, target);
    return allowed ? null : `imports its sibling "${specifier}"`;
  }
  if (!mayImport(from, to)) return `${from} must not import ${to} ("${specifier}")`;
  if (!specifier.startsWith("#")) return `"${specifier}" is another layer; use #${to}`;
  if (from === "bin" && !one.lazy) return `"${specifier}" must be imported lazily`;
  return null;
}

/** The file an import means, or null for a package or a module of Node. */
function resolve(from: string, specifier: string | null, map: ImportMap): string | null {
  if (specifier === null) return null;
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  return specifier.startsWith("#") ? (resolveImport(specifier, map) ?? specifier) : null;
}
