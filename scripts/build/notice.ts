import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutputChunk } from "rolldown";
import { ROOT } from "../package-json.ts";

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: unknown;
}

/** Packages whose data is in the sources: the table of models and prices is made from this one. */
const DATA_FROM = ["@pydantic/genai-prices"];

/** Writes the licence of every package that has code or data in the bundle. Fails when one has none. */
export function writeNotice(file: string, chunks: readonly OutputChunk[]): void {
  const folders = new Set([
    ...chunks.flatMap((chunk) => chunk.moduleIds.flatMap(packageFolder)),
    ...DATA_FROM.map((name) => join(ROOT, "node_modules", name)),
  ]);
  const parts = [...folders].toSorted().map((folder) => {
    const about: Package = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { name, version, license } = about;
    return `${name} ${version} (${license})\n\n${licenceText(folder, about).trim()}\n`;
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

function licenceText(folder: string, { license, author }: Package): string {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  if (name !== undefined) return readFileSync(join(folder, name), "utf8");
  // A package that names its licence and author and ships no text of it.
  if (license === "MIT" && typeof author === "string") {
    return `MIT License\n\nCopyright (c) ${author}\n\n${mitTerms()}`;
  }
  throw new Error(`${folder} has no licence text for NOTICE`);
}

/** Our own licence is the same one: its terms are what follows the line of the copyright. */
const mitTerms = (): string =>
  readFileSync(join(ROOT, "LICENSE"), "utf8").replace(/^[^]*?(?=Permission is hereby granted)/, "");
