import { writeFileSync } from "node:fs";
import { basename, join, relative, dirname } from "node:path";

/** `src/adapters/tools/index.ts` → `adapters/tools/index`: where an entry stands in dist/. */
export const outputName = (source: string): string =>
  source.replace(/^src\//, "").replace(/\.ts$/, "");

/** Where what an entry is made of stands. */
export const mainName = (source: string): string => `${outputName(source)}.main`;

const checkName = "node-version.js";

/** The entry users import: it looks at the version of Node before anything that an old one cannot run. */
export function writeEntry(library: string, output: string): void {
  const file = join(library, `${output}.js`);
  const check = join(relative(dirname(file), library), checkName);
  const lines = [`import "${check}";`, `export * from "./${basename(output)}.main.js";`, ""];
  writeFileSync(file, lines.join("\n"));
}

/** @param range of package.json's `engines`, such as `>=22.19` */
export function writeVersionCheck(library: string, range: string): void {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(range) ?? [];
  if (major === undefined || minor === undefined) throw new Error(`engines.node is ${range}`);
  writeFileSync(
    join(library, checkName),
    `const [major, minor] = process.versions.node.split(".").map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  const message =
    "Pawl needs Node ${major}.${minor} or newer, this is v" + process.versions.node +
    ": install a newer one from https://nodejs.org. / Pawl 需要 Node ${major}.${minor} 或更高版本，当前是 v" +
    process.versions.node + "：请从 https://nodejs.org 安装新版本。";
  throw Object.assign(new Error(message), { code: "node_too_old", isPawlError: true });
}
`,
  );
}
