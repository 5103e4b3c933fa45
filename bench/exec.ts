// What the supervisor adds to a command, and how fast things end. Run: node bench/exec.ts
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { commandEnvironment, endRun, type RunSpec, startRun } from "#adapters/exec";

const commands = 200;
const warmUps = 20;
const home = mkdtempSync(join(tmpdir(), "pawl-bench-"));
const env = commandEnvironment(process.env);
const { signal } = new AbortController();
let runs = 0;

function specOf(command: string): RunSpec {
  runs += 1;
  const marker = `bench_${process.pid}_${runs}_`;
  return { runDir: join(home, marker), command, cwd: home, env, timeoutMs: 60_000, marker };
}

async function plain(): Promise<void> {
  const child = spawn("/bin/bash", ["--noprofile", "--norc", "-c", "true"], {
    cwd: home,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}

async function supervised(): Promise<void> {
  await startRun(specOf("true"), { signal });
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function print(what: string, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): string =>
    (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(2).padStart(9);
  console.log(`${what.padEnd(52)}${[0, 0.1, 0.5, 0.9].map(at).join("")}`);
}

/** Taken in turns, so that both see the same machine; the difference is taken pair by pair. */
async function benchOverhead(): Promise<void> {
  const pairs: { plainMs: number; supervisedMs: number }[] = [];
  for (let turn = 0; turn < warmUps + commands; turn += 1) {
    pairs.push({ plainMs: await msOf(plain), supervisedMs: await msOf(supervised) });
  }
  const counted = pairs.slice(warmUps);
  print(
    "spawn of bash -c true",
    counted.map((pair) => pair.plainMs),
  );
  print(
    "the same through startRun",
    counted.map((pair) => pair.supervisedMs),
  );
  print(
    "difference",
    counted.map((pair) => pair.supervisedMs - pair.plainMs),
  );
}

async function benchReturn(): Promise<void> {
  const values: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const spec = specOf("sleep 60 & echo done");
    values.push(await msOf(() => startRun(spec, { signal })));
    await endRun(spec.runDir);
  }
  print("sleep 60 & echo done: until it returns", values);
}

async function benchCancel(command: string, what: string): Promise<void> {
  const values: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const controller = new AbortController();
    const end = startRun(specOf(command), { signal: controller.signal });
    await delay(200);
    values.push(
      await msOf(async () => {
        controller.abort();
        await end;
      }),
    );
  }
  print(what, values);
}

async function benchAgentDeath(): Promise<void> {
  const values: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const spec = specOf("setsid sleep 60 & sleep 60 | sleep 60");
    const agent = startAgent(spec);
    await until(() => carriers(spec.marker) >= 4);
    values.push(
      await msOf(async () => {
        agent.kill("SIGKILL");
        await until(() => carriers(spec.marker) === 0);
      }),
    );
  }
  print("agent killed: until its tree is gone", values);
}

function startAgent(spec: RunSpec): ChildProcess {
  const exec = fileURLToPath(new URL("../src/adapters/exec/index.ts", import.meta.url));
  const program = `const { startRun } = await import(${JSON.stringify(exec)});
    await startRun(${JSON.stringify(spec)}, { signal: new AbortController().signal });`;
  return spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(2);
}

/** How many processes carry the marker in their environment. Linux only. */
function carriers(marker: string): number {
  const carries = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(marker);
    } catch {
      // It has ended.
      return false;
    }
  };
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && carries(name)).length;
}

async function benchOutput(): Promise<void> {
  let mostBytes = 0;
  const timer = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
  }, 20);
  const beforeBytes = process.memoryUsage().rss;
  const tookMs = await msOf(() => startRun(specOf("yes | head -c 2G"), { signal }));
  clearInterval(timer);
  const moreMb = Math.round((mostBytes - beforeBytes) / 1e6);
  console.log(`yes | head -c 2G: ${Math.round(tookMs)} ms, ${moreMb} MB more memory at most`);
}

console.log(
  `${"ms".padEnd(52)}${["least", "p10", "median", "p90"].map((name) => name.padStart(9)).join("")}`,
);
await benchOverhead();
await benchReturn();
await benchCancel("sleep 60 | sleep 60", "cancel of sleep 60 | sleep 60");
await benchCancel(
  `trap "" TERM; setsid bash -c 'trap "" TERM; sleep 60; sleep 60' & sleep 60; sleep 60`,
  "cancel of a tree that ignores SIGTERM",
);
await benchAgentDeath();
await benchOutput();
rmSync(home, { recursive: true });
