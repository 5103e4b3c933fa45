import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { ROOT } from "../../scripts/package-json.ts";

/** What ends a process from outside or inside. */
export type Kill =
  /** The process kills itself when it passes a crash point: `name#n`, or `*#n` for the n-th of any name. */
  | { readonly at: "point"; readonly point: string }
  /** So long after its start. */
  | ({ readonly at: "time"; readonly ms: number } & Company)
  /** When this is true. */
  | ({ readonly at: "sight"; readonly sees: () => boolean } & Company);

interface Company {
  /** Kills what is to die with it, a moment before. */
  readonly also?: () => void;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly kill: Kill | null;
}

/** A run that takes longer hangs: the slowest here takes a few seconds on a busy machine. */
const longestRunMs = 60_000;
const lookEveryMs = 3;

const program = join(ROOT, "dist", "bin", "pawl.cjs");

/** Runs the built program (`npm run build`) until it ends or is killed. */
export async function runProgram({ args, cwd, env, kill }: Start): Promise<Ended> {
  const begun = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: kill?.at === "point" ? { ...env, PAWL_CRASH_AT: kill.point } : env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const over = new AbortController();
  const end = new Promise<Pick<Ended, "code" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  }).finally(() => over.abort());
  const killing = killFromOutside(() => child.kill("SIGKILL"), kill, over.signal);
  const hung = setTimeout(() => child.kill("SIGKILL"), longestRunMs);
  const { code, signal } = await end;
  clearTimeout(hung);
  await killing;
  const ms = performance.now() - begun;
  if (ms >= longestRunMs) stderr += `\n(the test ended it after ${longestRunMs} ms)`;
  return { code, signal, stdout, stderr, ms };
}

async function killFromOutside(
  strike: () => void,
  kill: Kill | null,
  over: AbortSignal,
): Promise<void> {
  if (kill === null || kill.at === "point") return;
  try {
    if (kill.at === "time") await sleep(kill.ms, undefined, { signal: over });
    else while (!kill.sees()) await sleep(lookEveryMs, undefined, { signal: over });
    kill.also?.();
    strike();
  } catch {
    // It ended by itself first.
  }
}
