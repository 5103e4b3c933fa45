import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  startScriptedServer,
  type ScriptedServer,
  type ScriptedServerOptions,
} from "#adapters/models/scripted";
import { ROOT } from "../../scripts/package-json.ts";

/** A user with a home, a folder to work in, and a model on this machine. */
export interface Desk extends AsyncDisposable {
  readonly home: string;
  readonly folder: string;
  readonly server: ScriptedServer;
  /** Starts `pawl` in the folder. */
  start(args: readonly string[], options?: StartOptions): Running;
  /** Starts `pawl` on a terminal of its own; stdout and stderr both come as stdout. */
  type(args: readonly string[], options?: StartOptions): Running;
  /** Runs `pawl` in the folder to its end, with this on stdin. */
  run(args: readonly string[], options?: StartOptions): Promise<Ended>;
}

export interface StartOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** A file instead of a pipe. */
  readonly stdout?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stdout and stderr together hold the text, after what was waited for before. */
  until(text: string): Promise<void>;
  /** Types. */
  press(keys: string): void;
}

/** Of util-linux: runs a command on a terminal. */
export const terminalMaker = "script";
const program = join(ROOT, "src/bin/pawl.cjs");
const waitMs = 10_000;

export async function desk(
  turns: ScriptedServerOptions["turns"] = [{ text: "done" }],
): Promise<Desk> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-ui-")));
  const [home, folder] = [join(root, "home"), join(root, "folder")];
  await mkdir(folder);
  const server = await startScriptedServer({ turns });
  const children = new Set<ChildProcess>();
  const spawned = (file: string, args: readonly string[], options: StartOptions): Running => {
    const env = {
      PATH: process.env["PATH"],
      HOME: root,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      PAWL_HOME: home,
      // A home of its own would mean a cold cache for each of a hundred runs.
      NODE_COMPILE_CACHE: join(tmpdir(), "pawl-test-compile-cache"),
      PAWL_MODEL: "anthropic/claude-sonnet-4-5",
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "sk-test-000000000000000000000000",
      ...options.env,
    };
    const cwd = options.cwd ?? folder;
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ["pipe", options.stdout ?? "pipe", "pipe"],
    });
    if (options.stdin !== undefined) child.stdin?.end(options.stdin);
    children.add(child);
    child.on("close", () => children.delete(child));
    return follow(child);
  };
  const start = (args: readonly string[], options: StartOptions = {}): Running =>
    spawned(process.execPath, [program, ...args], options);
  return {
    home,
    folder,
    server,
    start,
    type(args, options = {}) {
      const words = [process.execPath, program, ...args].map((word) => `'${word}'`);
      return spawned(terminalMaker, ["-qfec", words.join(" "), "/dev/null"], options);
    },
    run: (args, options = {}) => start(args, { stdin: "", ...options }).ended,
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      await server.close();
      // What was killed may still be writing its last file.
      await rm(root, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export function follow(child: ChildProcess): Running {
  let [stdout, stderr] = ["", ""];
  let from = 0;
  const watchers = new Set<() => void>();
  const changed = (): void => watchers.forEach((watcher) => watcher());
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    changed();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    changed();
  });
  child.stdin?.on("error", () => {});
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  child.on("close", (code) => resolve({ code, stdout, stderr }));
  return {
    child,
    ended,
    press: (keys) => void child.stdin?.write(keys),
    until(text) {
      const seen = Promise.withResolvers<void>();
      const look = (): void => {
        const at = (stdout + stderr).indexOf(text, from);
        if (at < 0) return;
        from = at + text.length;
        watchers.delete(look);
        seen.resolve();
      };
      const late = setTimeout(
        () => seen.reject(new Error(`never saw ${text} in:\n${stdout}\n${stderr}`)),
        waitMs,
      );
      watchers.add(look);
      look();
      return seen.promise.finally(() => {
        clearTimeout(late);
        watchers.delete(look);
      });
    },
  };
}

/** The JSON lines of a text; throws when one is none. */
export const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Record<string, unknown> => JSON.parse(line));
