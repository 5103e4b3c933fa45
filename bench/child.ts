import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";

export interface ChildOptions {
  /** Arguments of Node: flags, file, arguments of the file. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where the process writes down what it used; null = only time is taken, and nothing is loaded into it. */
  readonly usageFile: string | null;
}

export interface ChildRun {
  /** By the clock of this process. */
  readonly startedMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

const preload = join(ROOT, "bench", "usage.cjs");

/** Runs one Node process to its end. Throws with what it said when it fails. */
export async function runNode(options: ChildOptions): Promise<ChildRun> {
  const { args, cwd, env, usageFile } = options;
  const measured = usageFile === null ? [] : ["--require", preload];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...measured, ...args], {
    cwd,
    env: { ...quietEnvironment(), ...env, BENCH_USAGE_FILE: usageFile ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on("close", resolve);
  const code = await promise;
  const wallMs = performance.now() - startedMs;
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}:\n${stderr}${stdout}`);
  return { startedMs, wallMs, stdout, ...usage(usageFile) };
}

/** Nothing of the caller's environment may reach a measured process, its keys and Node options least of all. */
function quietEnvironment(): Readonly<Record<string, string>> {
  const { PATH = "", HOME = "", LANG = "C.UTF-8" } = process.env;
  return { PATH, HOME, LANG };
}

function usage(file: string | null): { readonly cpuMs: number; readonly peakBytes: number } {
  if (file === null) return { cpuMs: Number.NaN, peakBytes: Number.NaN };
  const used = JSON.parse(readFileSync(file, "utf8")) as NodeJS.ResourceUsage; // written by usage.cjs
  const cpuMs = (used.userCPUTime + used.systemCPUTime) / 1000;
  return { cpuMs, peakBytes: used.maxRSS * 1024 };
}
