// Runs every check, two at a time, and says how long each took. Quiet about what is right.

import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

import { ROOT } from "./package-json.ts";

const STEPS: readonly (readonly [name: string, command: string])[] = [
  ["types", "tsc -p tsconfig.json"],
  ["lint", "oxlint"],
  ["types of core", "tsc -p tsconfig.core.json"],
  ["dead code", "knip"],
  ["architecture", "node --test test/architecture.test.ts"],
  ["format", "oxfmt --check --no-error-on-unmatched-pattern"],
  ["API report", "node scripts/api-report.ts --check"],
  ["docs", "node scripts/docs-check.ts"],
  ["prompts", "node scripts/prompts.ts --check"],
  ["dependencies", "node scripts/dependencies-check.ts"],
  ["requirements", "node scripts/requirements/index.ts --check"],
];
const AT_A_TIME = 2;

const PATH = [join(ROOT, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);

/** Runs one step; its output is shown only when it fails. */
async function run(name: string, command: string): Promise<boolean> {
  const start = performance.now();
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const child = spawn(command, { cwd: ROOT, shell: true, env: { ...process.env, PATH } });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.on("close", resolve);
  const ok = (await promise) === 0;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${ok ? "ok" : "FAILED"}  ${seconds.padStart(5)} s  ${name}`);
  if (!ok) console.log(`\n$ ${command}\n${output.trimEnd()}\n`);
  return ok;
}

const waiting = [...STEPS];
const failed: string[] = [];

async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    if (!(await run(...step))) failed.push(step[0]);
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, work));
if (failed.length > 0) {
  console.log(`check failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
