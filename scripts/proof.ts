// Runs every long suite with its full figures and prints one table: what is required, what was reached, how long it
// took. Takes about an hour on two cores; fails when a figure is missed. `npm run proof -- laws sim`: only those.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { ROOT } from "./package-json.ts";

interface Figure {
  readonly name: string;
  readonly required: string;
  readonly reached: string;
  readonly holds: boolean;
}

interface Suite {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** What its output, and files it left, say. */
  readonly figures: (output: string) => readonly Figure[];
}

const BENCH_REPORT = join(tmpdir(), `pawl-proof-bench-${process.pid}.json`);
const HISTORIES = 2000;

const SUITES: readonly Suite[] = [
  { command: ["npm", "run", "crash"], env: { PAWL_CRASH_FULL: "1" }, figures: saidFigures },
  {
    command: ["npm", "run", "laws"],
    env: { PAWL_HISTORIES: `${HISTORIES}` },
    figures: (output) => [passed(output, `laws over ${HISTORIES} histories each`)],
  },
  { command: ["npm", "run", "sim"], figures: saidFigures },
  {
    command: ["node", "--test", "test/field/**/*.test.ts"],
    figures: (output) => [passed(output, "outside fixtures and tasks")],
  },
  { command: ["npm", "run", "bench", "--", "--json", BENCH_REPORT], figures: benchFigures },
];

/** Lines that tests write with `t.diagnostic("figure: NAME; reached N; required M")`. */
function saidFigures(output: string): readonly Figure[] {
  const lines = output.matchAll(/figure: (.+); reached (\d+); required (\d+)/g);
  return [...lines].map(([, name = "", reached = "", required = ""]) => ({
    name,
    required,
    reached,
    holds: Number(reached) >= Number(required),
  }));
}

/** Tests of a suite, all of which must pass. */
function passed(output: string, name: string): Figure {
  const count = (label: string): number =>
    [...output.matchAll(new RegExp(`^(?:#|ℹ) ${label} (\\d+)$`, "gm"))].reduce(
      (sum, [, number = "0"]) => sum + Number(number),
      0,
    );
  const [tests, ok] = [count("tests"), count("pass")];
  return {
    name,
    required: `${tests} pass`,
    reached: `${ok} pass`,
    holds: tests > 0 && ok === tests,
  };
}

interface BenchLine {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly pawl: number;
  readonly floor: number | null;
  readonly goal: { readonly atMost: number; readonly of: string } | null;
}

/** The long session: what the loop adds to a turn stays the same, and it opens again at once. */
function benchFigures(): readonly Figure[] {
  const report = JSON.parse(readFileSync(BENCH_REPORT, "utf8")) as {
    readonly lines: readonly BenchLine[];
  };
  return report.lines
    .filter((line) => line.goal !== null && /-growth$|^reopen/.test(line.id))
    .map(({ title, unit, pawl, floor, goal }) => {
      const { atMost = 0, of = "" } = goal ?? {};
      const isRatio = of === "ratio";
      const value = isRatio ? pawl / (floor ?? Number.NaN) : pawl;
      const show = (number: number): string =>
        isRatio ? `${number.toFixed(2)} ×` : `${number.toFixed(1)} ${unit}`;
      return {
        name: title,
        required: `≤ ${show(atMost)}`,
        reached: show(value),
        holds: value <= atMost,
      };
    });
}

interface Outcome {
  readonly figures: readonly Figure[];
  readonly seconds: number;
}

async function run(suite: Suite): Promise<Outcome> {
  const begun = performance.now();
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const [program, ...args] = suite.command;
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      ...suite.env,
      PATH: [join(ROOT, "node_modules", ".bin"), process.env["PATH"]].join(delimiter),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  child.once("close", resolve);
  const code = await promise;
  const ended: Figure = {
    name: suite.command.join(" "),
    required: "exit 0",
    reached: `exit ${code}`,
    holds: code === 0,
  };
  const figures = code === 0 ? suite.figures(output) : [];
  return { figures: [ended, ...figures], seconds: (performance.now() - begun) / 1000 };
}

function table(outcomes: readonly Outcome[]): string {
  const head = ["figure", "required", "reached", "seconds", ""];
  const rows = outcomes.flatMap(({ figures, seconds }) =>
    figures.map((figure, index) => [
      figure.name,
      figure.required,
      figure.reached,
      index === 0 ? seconds.toFixed(0) : "",
      figure.holds ? "ok" : "MISSED",
    ]),
  );
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const wanted = process.argv.slice(2);
const outcomes: Outcome[] = [];
for (const suite of SUITES) {
  const name = suite.command.join(" ");
  const isWanted = wanted.length === 0 || wanted.some((word) => name.includes(word));
  if (isWanted) outcomes.push(await run(suite));
}
console.log(`\n${table(outcomes)}`);
const missed = outcomes.flatMap((outcome) => outcome.figures).filter((figure) => !figure.holds);
const isReached = outcomes.length > 0 && missed.length === 0;
console.log(isReached ? "\nEvery figure is reached." : `\n${missed.length} missed.`);
process.exitCode = isReached ? 0 : 1;
