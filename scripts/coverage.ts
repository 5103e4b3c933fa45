// Runs the table tests of core and fails when a line or a branch of src/core was never reached. The laws are left
// out: what random histories reach differs from run to run.

import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ROOT } from "./package-json.ts";

/** The compiler proves that these lines are never reached; each stands alone under its `default:`. */
const PROVEN_UNREACHABLE = "satisfies never";

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), "pawl-coverage-"));
  try {
    const report = join(folder, "lcov.info");
    if (!runTests(report)) return;
    const seen = read(readFileSync(report, "utf8"));
    const files = globSync("src/core/*.ts", { cwd: ROOT }).filter((path) => !isWithoutCode(path));
    const problems = [
      ...files.filter((path) => !seen.has(path)).map((path) => `${path} was never loaded`),
      ...[...seen].flatMap(([path, missed]) => unreached(path, missed)),
    ];
    for (const problem of problems) console.error(problem);
    if (files.length === 0 || problems.length > 0) process.exitCode = 1;
    else console.log(`every branch of ${files.length} files of src/core is reached`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runTests(report: string): boolean {
  const tests = globSync("test/core/*.test.ts", { cwd: ROOT, exclude: ["**/laws*"] });
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      "--test",
      "--experimental-test-coverage",
      "--test-coverage-include=src/core/**",
      "--test-reporter=dot",
      "--test-reporter-destination=stdout",
      "--test-reporter=lcov",
      `--test-reporter-destination=${report}`,
      ...tests,
    ],
    { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  if (status === 0 && tests.length > 0) return true;
  console.error(stdout);
  process.exitCode = 1;
  return false;
}

/** A file that only says types, or passes on, leaves no lines in a report. */
const isWithoutCode = (path: string): boolean =>
  readFileSync(join(ROOT, path), "utf8")
    .split("\n")
    .every((line) => !/^(export )?(const|function|class|async) /.test(line));

/** Lines that were not reached, or whose branch was not, by file. */
function read(lcov: string): ReadonlyMap<string, ReadonlySet<number>> {
  const seen = new Map<string, Set<number>>();
  let current = new Set<number>();
  for (const line of lcov.split("\n")) {
    const [key, value = ""] = split(line);
    if (key === "SF") {
      current = new Set();
      seen.set(value, current);
    }
    const missed = (key === "DA" || key === "BRDA") && value.endsWith(",0");
    if (missed) current.add(Number(value.split(",")[0]));
  }
  return seen;
}

const split = (line: string): readonly string[] => [
  line.slice(0, line.indexOf(":")),
  line.slice(line.indexOf(":") + 1),
];

function unreached(path: string, missed: ReadonlySet<number>): readonly string[] {
  const lines = readFileSync(join(ROOT, path), "utf8").split("\n");
  return [...missed].flatMap((number) => {
    const [line = "", next = ""] = lines.slice(number - 1);
    const isProven =
      line.includes(PROVEN_UNREACHABLE) ||
      (line.trim() === "default:" && next.includes(PROVEN_UNREACHABLE));
    return isProven ? [] : [`${path}:${number} is not reached: ${line.trim()}`];
  });
}

main();
