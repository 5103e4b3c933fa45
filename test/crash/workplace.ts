import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { startScriptedServer, type ScriptedServer } from "#testing";
import { runProgram, type Ended, type Kill } from "./program.ts";
import { effectsFile, pauseVariable, type Scenario } from "./scenario.ts";

/** A folder, a home and a model server for one run of the program, however often it is killed. */
export interface Workplace extends AsyncDisposable {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly scenario: Scenario;
  readonly server: ScriptedServer;
  /** Crash points passed so far, in order, by all processes. */
  pointsPassed(): readonly string[];
  run(args: readonly string[], kill?: Kill | null): Promise<Ended>;
  /** Content of every file of the workspace, by path. */
  files(): Readonly<Record<string, string>>;
  /** Processes that still carry this workplace in their environment or work in it, as `pid command`. */
  processes(): readonly string[];
  /** Kills all of them at once, as when the machine runs out of memory. */
  killAll(): void;
}

/** Memory, where there is one that acts as a disk: thousands of runs sync hundreds of times each. */
const disk = realpathSync(
  statSync("/dev/shm", { throwIfNoEntry: false })?.isDirectory() ? "/dev/shm" : tmpdir(),
);

/** Compiled code is kept between the runs of one suite, as it is for a user. */
const cacheFolder = join(disk, `pawl-crash-cache-${process.pid}`);

export interface WorkplaceOptions {
  /** How long commands wait that say so; default not at all. */
  readonly pauseSeconds?: number;
}

export async function openWorkplace(
  scenario: Scenario,
  { pauseSeconds = 0 }: WorkplaceOptions = {},
): Promise<Workplace> {
  const root = mkdtempSync(join(disk, "pawl-crash-"));
  const cwd = join(root, "work");
  const home = join(root, "home");
  const log = join(root, "points.log");
  mkdirSync(home);
  mkdirSync(cacheFolder, { recursive: true });
  symlinkSync(cacheFolder, join(home, "cache"));
  for (const [path, content] of Object.entries(scenario.files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  mkdirSync(cwd, { recursive: true });
  if (scenario.folder !== undefined) cpSync(scenario.folder, cwd, { recursive: true });
  writeFileSync(log, "");
  const server = await startScriptedServer({ turns: scenario.turns });
  const env = {
    // Commands that say `node` mean the one that runs the tests.
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`,
    // Only for programs that commands run; Pawl itself uses PAWL_HOME.
    HOME: process.env["HOME"] ?? root,
    TMPDIR: root,
    LANG: "C.UTF-8",
    PAWL_HOME: home,
    PAWL_CRASH_LOG: log,
    PAWL_MODEL: "anthropic/claude-sonnet-4-5",
    [pauseVariable]: `${pauseSeconds}`,
    PYTHONDONTWRITEBYTECODE: "1",
    ANTHROPIC_API_KEY: "not-a-key",
    ANTHROPIC_BASE_URL: server.url,
  };
  return {
    root,
    cwd,
    home,
    scenario,
    server,
    pointsPassed: () => readFileSync(log, "utf8").split("\n").slice(0, -1),
    run: (args, kill = null) => runProgram({ args, cwd, env, kill }),
    files: () => contentOf(cwd),
    processes: () => processesOf(root),
    killAll: () => killAtOnce(root),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function removeCache(): void {
  rmSync(cacheFolder, { recursive: true, force: true });
}

/** Names of the commands that had their effect so far, in order. */
export function effectsIn(cwd: string): readonly string[] {
  const path = join(cwd, effectsFile);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

function contentOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );
}

/**
 * As if all died in one moment: they are stopped first, so that none lives to record the death of another. Ids
 * tell nothing about who began whom once the kernel counts from the start again.
 */
function killAtOnce(root: string): void {
  const stopped = new Set<number>();
  let running = pidsOf(root);
  while (running.length > 0) {
    for (const pid of running) {
      send(pid, "SIGSTOP");
      stopped.add(pid);
    }
    // What was being started meanwhile.
    running = pidsOf(root).filter((pid) => !stopped.has(pid));
  }
  for (const pid of stopped) send(pid, "SIGKILL");
}

const pidsOf = (root: string): readonly number[] =>
  processesOf(root).map((line) => Number.parseInt(line, 10));

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended with another one.
  }
}

function processesOf(root: string): readonly string[] {
  // Elsewhere than on Linux nobody can be asked so simply; the tests of exec look there in their own way.
  if (!existsSync("/proc/self")) return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    if (Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const where = readlinkSync(`/proc/${pid}/cwd`);
      const belongs =
        where.startsWith(root) ||
        command.includes(root) ||
        readFileSync(`/proc/${pid}/environ`, "utf8").includes(root);
      return belongs ? [`${pid} ${command}`] : [];
    } catch {
      // It has ended, or belongs to another user and so not to us.
      return [];
    }
  });
}
