import { join } from "node:path";
import type { CodeSplittingNameFunction } from "rolldown";
import { ROOT } from "../package-json.ts";

/** What every wire needs. */
const wireParts = [
  "http-client",
  "read-stream",
  "call-arguments",
  "growing-text",
  "kept-conversations",
  "well-formed",
  "wire-ids",
];

/**
 * What each run of the program loads stands in one file, by its entries: Node takes 0.3 ms to find, open and link a file, and a
 * bundler makes dozens of what is shared. What is imported late stays apart. The first that holds a module has it.
 */
const pieces: readonly (readonly [name: string, entries: readonly string[]])[] = [
  ["base", ["src/ui/index.ts", "src/ui/start.ts", "src/ui/terminal/output.ts"]],
  ["session", ["src/app/session/index.ts"]],
  ["wire", wireParts.map((part) => `src/adapters/models/shared/${part}.ts`)],
];

type Context = Parameters<CodeSplittingNameFunction>[1];

/** Names the piece of a module of the program; null for all that stands in none. */
export function pieceNamer(): CodeSplittingNameFunction {
  let names: ReadonlyMap<string, string> | null = null;
  return (id, context) => {
    names ??= namesIn(context);
    return names.get(id) ?? null;
  };
}

function namesIn(context: Context): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, entries] of pieces) {
    for (const entry of entries) take(join(ROOT, entry), name);
  }
  return names;

  function take(id: string, name: string): void {
    if (names.has(id)) return;
    const module = context.getModuleInfo(id);
    if (module === null)
      throw new Error(`${id} is not in the program: see scripts/build/pieces.ts`);
    names.set(id, name);
    for (const imported of module.importedIds) take(imported, name);
  }
}
