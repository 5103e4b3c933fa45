// npm run bench [-- --smoke] [--json FILE] [--compare FILE] [--write]
// Measures Pawl beside the floor (bench/floor.ts): same Node, same server, same calls, runs of both in turns.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { ROOT } from "../scripts/package-json.ts";
import { startModelServer } from "./model-server.ts";
import { comparison, misses, table, type Report } from "./report.ts";
import { fullProfile, smokeProfile } from "./profile.ts";
import { steps, type Step } from "./suite.ts";
import { makeWorkplace } from "./workplace.ts";
import type { Bench } from "./run.ts";
import type { Line } from "./line.ts";

/** The smoke run passes below this many times a goal: it finds a lost order of magnitude, not noise. */
const smokeSlack = 4;
const page = join(ROOT, "docs", "performance.md");

const { values: options } = parseArgs({
  options: {
    smoke: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    json: { type: "string" },
    compare: { type: "string" },
  },
});

if (!existsSync(join(ROOT, "dist", "bin", "pawl.js"))) {
  throw new Error("There is no dist/ to measure: npm run build");
}
const report = await measure();
console.log(`\n${table(report.lines)}`);
if (options.json !== undefined) {
  writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}
if (options.compare !== undefined) {
  const before = JSON.parse(readFileSync(options.compare, "utf8")) as Report; // a file of --json
  console.log(`\n${comparison(report, before)}`);
}
if (options.write) writePage(report);
if (options.smoke) judge(report);

async function measure(): Promise<Report> {
  using workplace = makeWorkplace();
  await using server = await startModelServer();
  const load = loadavg()[0] ?? 0;
  const lines: Line[] = [];
  for (const step of steps) {
    console.error(`measuring ${step.title} …`);
    lines.push(...(await measureStep({ server, workplace }, step)));
  }
  const machine = `${cpus().length} cores, ${process.platform}`;
  const date = new Date().toISOString().slice(0, 10);
  return { date, node: process.version, machine, load, lines };
}

/** A busy machine can spoil a smoke run's few rounds: what is lost is lost every time. */
async function measureStep(bench: Bench, step: Step): Promise<readonly Line[]> {
  if (!options.smoke) return step.measure(bench, fullProfile);
  const lines = await step.measure(bench, smokeProfile);
  return lines.some(isLost) ? step.measure(bench, smokeProfile) : lines;
}

function writePage({ date, node, machine, load, lines }: Report): void {
  const text = readFileSync(page, "utf8");
  const measured = `Measured on ${date}, Node ${node}, ${machine}, load ${load.toFixed(1)}, \`npm run bench -- --write\`:`;
  const between = /(<!-- bench -->\n)[\s\S]*?(\n?<!-- \/bench -->)/;
  writeFileSync(
    page,
    text.replace(
      between,
      (_, start: string, end: string) => `${start}${measured}\n\n${table(lines)}${end}`,
    ),
  );
}

function isLost(line: Line): boolean {
  return misses(line, smokeSlack);
}

function judge({ lines }: Report): void {
  const lost = lines.filter(isLost);
  for (const { title } of lost) {
    console.error(`${title}: more than ${smokeSlack} times its goal`);
  }
  if (lost.length > 0) process.exitCode = 1;
}
