import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutputChunk } from "rolldown";
import { ROOT } from "../package-json.ts";

/** Packages whose data is in the sources: the table of models and prices is made from this one. */
const DATA_FROM = ["@pydantic/genai-prices"];

/** Writes the licence of every package that has code or data in the bundle. Fails when one has none. */
export function writeNotice(file: string, chunks: readonly OutputChunk[]): void {
  const folders = new Set([
    ...chunks.flatMap((chunk) => chunk.moduleIds.flatMap(packageFolder)),
    ...DATA_FROM.map((name) => join(ROOT, "node_modules", name)),
  ]);
  const parts = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as { name: string; version: string; license: string };
    return `${name} ${version} (${license})\n\n${licenceText(folder).trim()}\n`;
  });
  const head = "Pawl contains code or data of these packages, under their own licences.\n";
  writeFileSync(file, [head, ...parts].join(`\n${"-".repeat(80)}\n\n`));
}

/** `/…/node_modules/@scope/name/lib/x.js` → `/…/node_modules/@scope/name`; none for our own. */
function packageFolder(moduleId: string): string[] {
  const match = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(
    moduleId.split("\0")[0] ?? "",
  );
  return match ? [match[0]] : [];
}

function licenceText(folder: string): string {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  if (name === undefined) throw new Error(`${folder} has no licence text for NOTICE`);
  return readFileSync(join(folder, name), "utf8");
}
