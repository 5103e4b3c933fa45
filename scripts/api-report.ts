import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "rolldown/utils";

import { type Declarations, emitDeclarations } from "./declarations.ts";
import { publicEntries, readPackageJson, resolveImport, ROOT } from "./package-json.ts";

const packageJson = readPackageJson();

/** One page for an entry: each exported name with its declaration, sorted by name. */
function report(name: string, source: string, declarations: Declarations): string {
  const blocks = exportsOf(source, declarations)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => text.trim());
  return [
    `# API of \`${name}\``,
    "Written by `npm run api`; do not edit. A change here needs a line in CHANGELOG.md.",
    ["```ts", blocks.join("\n\n"), "```", ""].join("\n"),
  ].join("\n\n");
}

type Exported = { readonly name: string; readonly text: string };

const known = new Map<string, readonly Exported[]>();

function exportsOf(path: string, declarations: Declarations): readonly Exported[] {
  const exported = known.get(path) ?? readExports(path, declarations);
  known.set(path, exported);
  return exported;
}

function readExports(path: string, declarations: Declarations): Exported[] {
  const text = declarations.get(path);
  if (text === undefined) throw new Error(`${path} has no declarations`);
  const { module } = parseSync(path.replace(/\.ts$/, ".d.ts"), text);
  const own = declaredIn(path, text);
  const result = new Map<string, string>();
  for (const entry of module.staticExports.flatMap((statement) => statement.entries)) {
    if (entry.moduleRequest && entry.importName.kind.startsWith("All")) {
      const target = targetOf(path, entry.moduleRequest.value);
      const all = target === null ? [] : exportsOf(target, declarations);
      for (const one of all) result.set(one.name, one.text);
    }
    const name = entry.exportName.name;
    if (name === null) continue;
    const inner = entry.importName.name ?? entry.localName.name ?? name;
    const found = entry.moduleRequest
      ? declarationOf(
          { from: path, specifier: entry.moduleRequest.value, name: inner },
          declarations,
        )
      : own.get(inner);
    if (found === undefined) throw new Error(`${path} exports ${name}, which is not there`);
    result.set(name, name === inner ? found : `// ${inner} as ${name}\n${found}`);
  }
  if (result.size === 0) throw new Error(`${path} exports nothing`);
  return [...result].map(([name, found]) => ({ name, text: found }));
}

type Reference = { readonly from: string; readonly specifier: string; readonly name: string };

function declarationOf(reference: Reference, declarations: Declarations): string | undefined {
  const { from, specifier, name } = reference;
  const target = targetOf(from, specifier);
  if (target === null) return `export { ${name} } from "${specifier}";`;
  return exportsOf(target, declarations).find((one) => one.name === name)?.text;
}

/** The source file an import means; null for a package. */
function targetOf(from: string, specifier: string): string | null {
  return specifier.startsWith(".")
    ? posix.join(posix.dirname(from), specifier)
    : resolveImport(specifier, packageJson.imports);
}

/** Texts of the top-level declarations of a file with their comments; overloads together. */
function declaredIn(path: string, text: string): ReadonlyMap<string, string> {
  const { program } = parseSync(path.replace(/\.ts$/, ".d.ts"), text);
  const result = new Map<string, string>();
  let end = 0;
  for (const node of program.body) {
    const statement = text.slice(end, node.end);
    end = node.end;
    const name = /^export (?:declare )?(?:abstract )?\w+ ([\w$]+)/m.exec(statement)?.[1];
    if (name) result.set(name, [result.get(name), statement.trim()].filter(Boolean).join("\n"));
  }
  return result;
}

const check = process.argv.includes("--check");
const declarations = emitDeclarations();
mkdirSync(join(ROOT, "api"), { recursive: true });
for (const { name, source } of publicEntries(packageJson)) {
  const file = join("api", `${name.replace("/", "-")}.api.md`);
  const now = report(name, source, declarations);
  const before = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8") : "";
  if (now === before) continue;
  if (check) {
    console.error(
      `${file} is not what the sources export; run \`npm run api\` and look at the diff`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(join(ROOT, file), now);
    console.log(`${file} written`);
  }
}
