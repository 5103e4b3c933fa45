import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { type RunEnd, type RunResult, type RunSpec, startRun, type RunState } from "#adapters/exec";

const home = mkdtempSync(join(tmpdir(), "pawl-exec-"));
after(() => rmSync(home, { recursive: true, force: true }));

let count = 0;

/** A run of its own: new folder, new marker. `{id}` in the command becomes a word nobody else has. */
export function specOf(command: string, more: Partial<RunSpec> = {}): RunSpec & { id: string } {
  count += 1;
  const id = `x${process.pid}n${count}x`;
  return {
    id,
    runDir: join(home, id),
    command: command.replaceAll("{id}", id),
    cwd: home,
    env: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" },
    timeoutMs: 20_000,
    marker: `marker_${id}`,
    ...more,
  };
}

export function run(spec: RunSpec, signal: AbortSignal = never()): Promise<RunResult> {
  return startRun(spec, { signal });
}

/** Runs a command that ends, and gives its end. */
export async function endOf(command: string, more: Partial<RunSpec> = {}): Promise<RunEnd> {
  return ended(await run(specOf(command, more)));
}

export function ended(result: RunResult | RunState): RunEnd {
  if (result.at !== "ended") throw new Error(`not ended but ${JSON.stringify(result)}`);
  return result.end;
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Runs a command and cancels it when some of its output is on disk. */
export async function cancelledAfterOutput(spec: RunSpec): Promise<RunResult> {
  const controller = new AbortController();
  const result = run(spec, controller.signal);
  await hasOutput(spec);
  controller.abort();
  return result;
}

/** Process ids that have a word in their arguments or carry it in their environment; zombies have neither. */
export function processesWith(word: string): number[] {
  if (!existsSync("/proc/self/environ")) {
    const lines = execFileSync("ps", ["-axEww", "-o", "pid=,command="], { encoding: "utf8" });
    const found = lines.split("\n").filter((line) => line.includes(word));
    return found.map((line) => Number(line.trim().split(" ")[0]));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && has(name, word))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function has(pid: string, word: string): boolean {
  try {
    const files = ["cmdline", "environ"].map((name) =>
      readFileSync(`/proc/${pid}/${name}`, "latin1"),
    );
    return files.some((text) => text.includes(word));
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** Waits until no process has the word any more; gives those that still have it after the time. */
export async function goneWithin(ms: number, word: string): Promise<number[]> {
  return until(
    ms,
    () => processesWith(word),
    (found) => found.length === 0,
  );
}

/** Waits until a file is there. */
export async function isThere(path: string): Promise<boolean> {
  return until(15_000, () => existsSync(path), Boolean);
}

/** Waits until some output of a run is on disk. */
export async function hasOutput(spec: RunSpec): Promise<boolean> {
  const path = join(spec.runDir, "out");
  return until(15_000, () => existsSync(path) && readFileSync(path).length > 0, Boolean);
}

async function until<T>(ms: number, look: () => T, isEnough: (seen: T) => boolean): Promise<T> {
  const endMs = performance.now() + ms;
  while (!isEnough(look()) && performance.now() < endMs) await delay(10);
  return look();
}

/** Another process that starts runs, prints their results, one line of JSON each, and ends. */
export function startAgent(specs: readonly RunSpec[]): ChildProcess {
  const program = fileURLToPath(new URL("agent.ts", import.meta.url));
  return spawn(process.execPath, [program, JSON.stringify(specs)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}

export async function killed(agent: ChildProcess): Promise<void> {
  const end = once(agent, "exit");
  if (agent.kill("SIGKILL")) await end;
}

/** Process id of the supervisor of a run. */
export function supervisorOf(spec: RunSpec): number {
  return Number(readFileSync(join(spec.runDir, "claim"), "utf8").split(" ")[0]);
}
