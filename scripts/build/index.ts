// Builds the package that is published into dist/: the command line as one bundle with lazy parts,
// the library as another, declarations, package.json, licences.

import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type OutputChunk, type Plugin, type RolldownOutput } from "rolldown";

import { type PackageJson, publicEntries, readPackageJson, ROOT } from "../package-json.ts";
import { writeNotice } from "./notice.ts";
import { writeTypes } from "./types.ts";

const DIST = join(ROOT, "dist");
/** Ship as their own packages: one is a binary for each platform, the other brings WebAssembly in a file of its own. */
const NOT_BUNDLED = ["@vscode/ripgrep", "@silvia-odwyer/photon-node"];

/** `src/adapters/tools/index.ts` → `adapters/tools/index`: where an entry stands in dist/. */
function outputName(source: string): string {
  return source.replace(/^src\//, "").replace(/\.ts$/, "");
}

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

async function bundle(folder: string, input: Record<string, string>): Promise<OutputChunk[]> {
  const result: RolldownOutput = await build({
    cwd: ROOT,
    input,
    platform: "node",
    external: [/^node:/, ...NOT_BUNDLED],
    plugins: [readOnlyWhatIsUsed],
    // jsonc-parser's `main` is a UMD file that a bundler cannot see through.
    resolve: { mainFields: ["module", "main"] },
    output: {
      dir: join(DIST, folder),
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      comments: { legal: false },
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
  ...(await bundle("bin", { pawl: "src/bin/pawl.ts" })),
  ...(await bundle(
    "lib",
    Object.fromEntries(entries.map(({ source }) => [outputName(source), source])),
  )),
];
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
