import { parseSync } from "rolldown/utils";

/** One import of a source file: of values or of types, static or lazy. */
export type Import = {
  /** The text between the quotes, or null when it is computed at run time. */
  readonly specifier: string | null;
  readonly lazy: boolean;
  /** Every name of the other module is passed on (`export * from`). */
  readonly passesAllOn: boolean;
};

/** What the architecture rules need to know about one file. */
export type SourceFile = {
  /** From the repository root, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  readonly startsWithComment: boolean;
  readonly hasDefaultExport: boolean;
  readonly imports: readonly Import[];
};

/** Parses one TypeScript file. Throws when it does not parse. */
export function readSourceFile(path: string, text: string): SourceFile {
  const { program, module, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const exported = module.staticExports.flatMap((statement) => statement.entries);
  return {
    path,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    startsWithComment: /^(\/\/|\/\*)/.test(text),
    hasDefaultExport: exported.some((entry) => entry.exportName.kind === "Default"),
    imports: [
      ...module.staticImports.map((statement) => fixed(statement.moduleRequest.value)),
      ...exported.flatMap(({ moduleRequest, importName }) =>
        moduleRequest
          ? [{ ...fixed(moduleRequest.value), passesAllOn: importName.kind.startsWith("All") }]
          : [],
      ),
      ...module.dynamicImports.map(({ moduleRequest }) => ({
        specifier: quoted(text.slice(moduleRequest.start, moduleRequest.end)),
        lazy: true,
        passesAllOn: false,
      })),
      ...importTypes(program).map(fixed),
    ],
  };
}

function fixed(specifier: string): Import {
  return { specifier, lazy: false, passesAllOn: false };
}

function quoted(expression: string): string | null {
  return /^(["'`])([^"'`$]*)\1$/.exec(expression)?.[2] ?? null;
}

/** Specifiers of `import("…").Name` in type position, which the module record leaves out. */
function importTypes(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(importTypes);
  const inside = Object.values(node).flatMap(importTypes);
  if (!("type" in node && node.type === "TSImportType" && "source" in node)) return inside;
  const source: unknown = node.source;
  if (typeof source !== "object" || source === null || !("value" in source)) return inside;
  return [String(source.value), ...inside];
}
