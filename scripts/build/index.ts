// Builds the package that is published into dist/: the command line as one bundle with lazy parts,
// the library as another, declarations, package.json, licences.

import { cpSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  build,
  type CodeSplittingNameFunction,
  type OutputChunk,
  type Plugin,
  type RolldownOutput,
} from "rolldown";

import { type PackageJson, publicEntries, readPackageJson, ROOT } from "../package-json.ts";
import { mainName, outputName, writeEntry, writeVersionCheck } from "./entry.ts";
import { pieceNamer } from "./pieces.ts";
import { writeNotice } from "./notice.ts";
import { writeTypes } from "./types.ts";

const DIST = join(ROOT, "dist");
/** Ship as their own packages: one is a binary for each platform, the other brings WebAssembly in a file of its own. */
const NOT_BUNDLED = ["@vscode/ripgrep", "@silvia-odwyer/photon-node"];

/**
 * `import { request } from "node:http"` reads every export of the module, and some of them load whole
 * libraries when they are read (`http.WebSocket`: undici, 25 ms of CPU). The bundle reads only what it uses.
 */
const readOnlyWhatIsUsed: Plugin = {
  name: "read-only-what-is-used",
  renderChunk: (code) =>
    code.replaceAll(
      /^import (?:\{([^}]*)\}|(?:\* as )?([\w$]+)) from "(node:[\w/]+)";$/gm,
      (_, ...[names, whole, module]: (string | undefined)[]) =>
        `const ${whole ?? `{${names?.replaceAll(" as ", ": ")}}`} = process.getBuiltinModule("${module}");`,
    ),
};

/** A thread needs a file of its own: `new URL("./x.ts", import.meta.url)` becomes the address of its part of the bundle. */
const filesOfThreads: Plugin = {
  name: "files-of-threads",
  transform(code, id) {
    if (!code.includes("new Worker(")) return null;
    return code.replaceAll(
      /new URL\("(\.\/[\w-]+\.ts)", import\.meta\.url\)/g,
      (_, file: string) => {
        const reference = this.emitFile({ type: "chunk", id: join(dirname(id), file) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
      },
    );
  },
};

interface Bundle {
  readonly folder: string;
  readonly input: Record<string, string>;
  /** The oldest language it is written in. */
  readonly target: "esnext" | "es2023";
  /** Null = a piece for whatever some of the entries share. */
  readonly pieces: CodeSplittingNameFunction | null;
}

async function bundle({ folder, input, target, pieces }: Bundle): Promise<OutputChunk[]> {
  const result: RolldownOutput = await build({
    cwd: ROOT,
    input,
    transform: { target },
    platform: "node",
    external: [/^node:/, ...NOT_BUNDLED],
    plugins: [readOnlyWhatIsUsed, filesOfThreads],
    // jsonc-parser's `main` is a UMD file that a bundler cannot see through.
    resolve: { mainFields: ["module", "main"] },
    output: {
      dir: join(DIST, folder),
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      comments: { legal: false },
      codeSplitting: pieces === null || { groups: [{ name: pieces }] },
    },
    logLevel: "warn",
  });
  return result.output.filter((file) => file.type === "chunk");
}

function publishedPackageJson(packageJson: PackageJson): object {
  const { name, version, description, license, engines } = packageJson;
  const entries = publicEntries(packageJson);
  const exported = entries.map((entry) => {
    const output = outputName(entry.source);
    const subpath = `.${entry.name.slice(name.length)}`;
    return [subpath, { types: `./types/${output}.d.ts`, default: `./lib/${output}.js` }] as const;
  });
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { [name]: "bin/pawl.cjs" },
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    engines,
    dependencies: Object.fromEntries(
      NOT_BUNDLED.map((dependency) => [dependency, packageJson.dependencies[dependency]]),
    ),
  };
}

const packageJson = readPackageJson();
const entries = publicEntries(packageJson);

rmSync(DIST, { recursive: true, force: true });
const chunks = [
  ...(await bundle({
    folder: "bin",
    input: { pawl: "src/bin/pawl.ts" },
    target: "esnext",
    pieces: pieceNamer(),
  })),
  ...(await bundle({
    folder: "lib",
    input: Object.fromEntries(entries.map(({ source }) => [mainName(source), source])),
    // An old Node must be able to read it as far as the sentence that says what is needed.
    target: "es2023",
    pieces: null,
  })),
];
for (const { source } of entries) writeEntry(join(DIST, "lib"), outputName(source));
writeVersionCheck(join(DIST, "lib"), packageJson.engines["node"] ?? "");
cpSync(join(ROOT, "src/bin/pawl.cjs"), join(DIST, "bin/pawl.cjs"));
for (const file of ["LICENSE", "README.md", "README.zh-CN.md", "CHANGELOG.md"]) {
  cpSync(join(ROOT, file), join(DIST, file));
}
cpSync(join(ROOT, "schemas"), join(DIST, "schemas"), { recursive: true });
writeTypes(join(DIST, "types"), entries);
writeNotice(join(DIST, "NOTICE"), chunks);
writeFileSync(
  join(DIST, "package.json"),
  `${JSON.stringify(publishedPackageJson(packageJson), null, 2)}\n`,
);
