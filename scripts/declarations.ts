import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

import { ROOT } from "./package-json.ts";

/** Emitted declarations by the source file they come from (`src/core/state.ts`). */
export type Declarations = ReadonlyMap<string, string>;

/** Emits the declarations of all sources into a temporary folder and reads them back. */
export function emitDeclarations(): Declarations {
  const folder = mkdtempSync(join(tmpdir(), "pawl-types-"));
  try {
    execFileSync("tsc", ["-p", "tsconfig.build.json", "--outDir", folder], {
      cwd: ROOT,
      stdio: "inherit",
    });
    return new Map(
      globSync("**/*.d.ts", { cwd: folder }).map((path) => [
        `src/${path.replace(/\.d\.ts$/, ".ts")}`,
        readFileSync(join(folder, path), "utf8"),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every place in a declaration file that names another module. */
export function findSpecifiers(text: string): { start: number; end: number; value: string }[] {
  const { module } = parseSync("file.d.ts", text);
  const requests = [
    ...module.staticImports.map((statement) => statement.moduleRequest),
    ...module.staticExports.flatMap((statement) => statement.entries.map((e) => e.moduleRequest)),
  ].filter((request) => request !== null);
  const statements = requests.map(({ start, end, value }) => ({ start, end, value }));
  const types = [...text.matchAll(/\bimport\((["'])([^"']+)\1\)/g)].map((match) => {
    const start = match.index + "import(".length;
    const value = match[2] ?? "";
    return { start, end: start + value.length + 2, value };
  });
  const all = new Map([...statements, ...types].map((one) => [one.start, one]));
  return [...all.values()].toSorted((a, b) => a.start - b.start);
}
