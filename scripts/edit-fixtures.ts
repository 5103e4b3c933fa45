// `npm run edit-fixtures -- [FOLDER]`: plays edit cases with the real tools in temporary workspaces and prints a table for
// each file of them. FOLDER holds *.json of the form of the outside fixtures (`edits/`); default: those.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { benchIn } from "../test/adapters/tools/bench.ts";
import { caseFiles, type CaseFile } from "../test/field/edits/cases.ts";
import { exceptions } from "../test/field/edits/exceptions.ts";
import { playCase } from "../test/field/edits/play.ts";
import { fixturesFolder } from "../test/field/fixtures.ts";

interface Row {
  readonly id: string;
  readonly outcome: string;
  readonly wrong: string | null;
}

async function rowsOf({ cases }: CaseFile): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const one of cases) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-edits-")));
    try {
      rows.push({ id: one.id, ...(await playCase(one, () => benchIn(root))) });
    } catch (error) {
      rows.push({ id: one.id, outcome: "exception", wrong: String(error) });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return rows;
}

const isExcepted = ({ id }: Row): boolean => Object.hasOwn(exceptions, id);

function print(name: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ id }) => id.length));
  console.log(`\n${name}`);
  for (const row of rows) {
    const verdict = row.wrong === null ? "ok" : isExcepted(row) ? "exception" : "WRONG";
    console.log(`  ${row.id.padEnd(width)}  ${row.outcome.slice(0, 24).padEnd(24)}  ${verdict}`);
    if (row.wrong !== null) console.log(`      ${exceptions[row.id] ?? row.wrong}`);
  }
  const right = rows.filter(({ wrong }) => wrong === null).length;
  const excepted = rows.filter((row) => row.wrong !== null && isExcepted(row)).length;
  console.log(`  ${rows.length} cases, ${right} right, ${excepted} reasoned exceptions`);
}

const known = fixturesFolder();
const named = process.argv[2];
const folder = named === undefined ? known && join(known, "edits") : resolve(named);
const files = folder === null ? [] : caseFiles(folder);
if (files.length === 0) {
  console.log(
    `No cases in ${folder ?? "the outside fixtures"}: name a folder, or set PAWL_FIXTURES.`,
  );
  process.exitCode = 2;
}
for (const file of files) {
  const rows = await rowsOf(file);
  print(file.name, rows);
  if (rows.some((row) => row.wrong !== null && !isExcepted(row))) process.exitCode = 1;
}
