// Writes docs/requirements.md: each claimed row of docs/requirements.json with the tests whose
// titles name it. Fails when a claimed row has no test; `--check` also fails when the page is old.

import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "../package-json.ts";
import { idsIn, testTitles } from "./test-titles.ts";

type Row = { readonly id: string; readonly section: string; readonly text: string };
type Proof = { readonly file: string; readonly title: string };

const PAGE = join(ROOT, "docs/requirements.md");
const { claimed, rows } = JSON.parse(
  readFileSync(join(ROOT, "docs/requirements.json"), "utf8"),
) as { claimed: readonly string[]; rows: readonly Row[] };

function readProofs(): ReadonlyMap<string, readonly Proof[]> {
  const proofs = new Map<string, Proof[]>();
  for (const file of globSync("test/**/*.test.ts", { cwd: ROOT }).toSorted()) {
    for (const title of testTitles(file, readFileSync(join(ROOT, file), "utf8"))) {
      for (const id of idsIn(title)) proofs.set(id, [...(proofs.get(id) ?? []), { file, title }]);
    }
  }
  return proofs;
}

function render(proofs: ReadonlyMap<string, readonly Proof[]>): string {
  const sections = Map.groupBy(
    rows.filter((row) => claimed.includes(row.id)),
    (row) => row.section,
  );
  const tables = [...sections].map(([section, members]) => {
    const lines = members.map(
      ({ id, text }) => `| ${id} | ${text} | ${(proofs.get(id) ?? []).map(link).join("<br>")} |`,
    );
    return [`## ${section}\n`, "| row | promise | proved by |", "|---|---|---|", ...lines].join(
      "\n",
    );
  });
  const head =
    "# Requirements and their tests\n\nWritten by `npm run requirements`; do not edit. A test proves a row by naming it in its title.";
  return `${[head, ...tables].join("\n\n")}\n`;
}

function link({ file, title }: Proof): string {
  return `[${title.replaceAll(/[[\]|<>`]/g, "")}](../${file})`;
}

const proofs = readProofs();
const known = new Set(rows.map((row) => row.id));
const problems = [
  ...claimed.filter((id) => !known.has(id)).map((id) => `${id} is claimed and not a row`),
  ...claimed.filter((id) => !proofs.has(id)).map((id) => `${id} is claimed and has no test`),
];
const page = render(proofs);
const isStale = !existsSync(PAGE) || readFileSync(PAGE, "utf8") !== page;
if (process.argv.includes("--check")) {
  if (isStale) problems.push("docs/requirements.md is old; run `npm run requirements`");
} else if (isStale) {
  writeFileSync(PAGE, page);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
