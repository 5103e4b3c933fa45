// `npm run fixtures -- [FOLDER]`: plays recorded streams of providers over real sockets, under every transform, and prints
// a table for each wire. FOLDER holds X.sse files, with X.expect.json beside them where somebody has judged them; the
// others must at least give the same under all transforms. Default: streams/ of the outside fixtures. Exit code 0: all
// right; 1: some wrong, or files that cannot be used; 2: nothing to play.

import { statSync } from "node:fs";
import { join, resolve } from "node:path";

import { fixturesFolder } from "../test/field/fixtures.ts";
import { play, stall } from "../test/field/streams/play.ts";
import { recordingsIn, type Recording } from "../test/field/streams/recording.ts";
import { brokenRuns, sameRuns, type Run } from "../test/field/streams/transforms.ts";
import { wires } from "../test/field/streams/wires.ts";

interface Row {
  readonly name: string;
  /** What the fixture says, or what came. */
  readonly outcome: string;
  readonly judged: boolean;
  /** Transforms that applied. */
  readonly transforms: number;
  readonly runs: number;
  /** One line for each run that went wrong. */
  readonly wrong: readonly string[];
}

async function tryOut(recording: Recording): Promise<Row> {
  const transforms = new Set(["stall"]);
  const wrong: string[] = [];
  let runs = 1;
  let outcome = recording.expectation?.outcome ?? null;
  const note = (run: Run, error: unknown, seen: string | null): void => {
    outcome ??= seen;
    transforms.add(run.transform);
    runs += 1;
    if (error !== null) wrong.push(`${run.title}: ${firstLines(error)}`);
  };
  await play(recording.wire, [...sameRuns(recording), ...brokenRuns(recording)], note).catch(
    (error: unknown) => wrong.push(`all: ${firstLines(error)}`),
  );
  await stall(recording).catch((error: unknown) => wrong.push(`stall: ${firstLines(error)}`));
  return {
    name: recording.name,
    outcome: outcome ?? "?",
    judged: recording.expectation !== null,
    transforms: transforms.size,
    runs,
    wrong,
  };
}

const firstLines = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .split("\n")
    .slice(0, 12)
    .join("\n      ");

function print(title: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(`\n${title}`);
  for (const { name, outcome, judged, transforms, runs, wrong } of rows) {
    const verdict = wrong.length > 0 ? "WRONG" : judged ? "ok" : "same everywhere, not judged";
    const counts = `${String(transforms).padStart(2)} transforms ${String(runs).padStart(4)} runs`;
    console.log(`  ${name.padEnd(width)}  ${outcome.padEnd(14)}  ${counts}  ${verdict}`);
    for (const line of wrong.slice(0, 3)) console.log(`      ${line}`);
    if (wrong.length > 3) console.log(`      and ${wrong.length - 3} more`);
  }
  const right = rows.filter(({ wrong }) => wrong.length === 0).length;
  console.log(`  ${rows.length} streams, ${right} right`);
}

const known = fixturesFolder();
const named = process.argv[2];
const folder = named === undefined ? known && join(known, "streams") : resolve(named);
const isThere = folder !== null && statSync(folder, { throwIfNoEntry: false })?.isDirectory();
const { recordings, unusable } = isThere ? recordingsIn(folder) : { recordings: [], unusable: [] };
if (recordings.length === 0) {
  const where = folder ?? "the outside fixtures";
  console.log(
    isThere
      ? `No stream in ${where} can be played: it should hold X.sse files, in any folders below it.`
      : `There is no folder ${where}: name one that holds X.sse files, or set PAWL_FIXTURES.`,
  );
  process.exitCode = 2;
}
for (const wire of wires) {
  const own = recordings.filter((recording) => recording.wire === wire);
  const rows: Row[] = [];
  for (const recording of own) rows.push(await tryOut(recording));
  if (rows.length > 0) print(wire.name, rows);
  if (rows.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
}
if (unusable.length > 0) {
  console.log(`\nCould not be used:`);
  for (const line of unusable) console.log(`  ${line}`);
  process.exitCode ??= 1;
}
