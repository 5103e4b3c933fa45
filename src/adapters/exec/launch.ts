import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";

import { defaultDiskBytes, type RunRefused, type RunSpec } from "./run.ts";
import { supervisorScript } from "./script.ts";

/** What the agent says, once: nothing is left, or why the run is to end. `lost`: half the supervisor is dead. */
export type Word = "done" | "timeout" | "cancelled" | "lost";

export type Said =
  | { readonly type: "ended"; readonly cause: string; readonly status: string }
  | { readonly type: "claimed" | "unwritable" }
  /** It, or the part that records the end, died without a word. */
  | { readonly type: "gone" };

/** A supervisor at work. It ends what is left of the command when this process ends or says anything but `done`. */
export interface Supervisor {
  /** Its process, its process group and its session. */
  readonly pid: number;
  /** Output of the command as it comes; ends when nobody holds it any more. */
  readonly output: Readable;
  readonly said: Promise<Said>;
  tell(word: Word): void;
  /** No part of it is left that could say anything. */
  isSilent(): boolean;
  /** From now on it does not keep this process alive. */
  unref(): void;
}

const shells = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/run/current-system/sw/bin/bash",
];

/** The bash of the system; never one that a project put on the PATH. */
export function shellPath(): string {
  return shells.find((path) => existsSync(path)) ?? "/bin/bash";
}

/** What is executed in the end: sandbox, shell, command. */
export function argumentVector(spec: Pick<RunSpec, "command" | "sandbox">): readonly string[] {
  return [...(spec.sandbox ?? []), shellPath(), "--noprofile", "--norc", "-c", spec.command];
}

/** Starts the supervisor of a run. Trouble before anything could run is data. */
export function launch(spec: RunSpec): Supervisor | Promise<RunRefused> {
  const blocks = Math.ceil((spec.diskBytes ?? defaultDiskBytes) / 512);
  const before = argumentVector(spec).slice(0, -1);
  try {
    mkdirSync(spec.runDir, { recursive: true, mode: 0o700 });
    const child = spawn(
      "/bin/sh",
      ["-c", 'eval "$PAWL_SUPERVISOR"', "pawl", spec.runDir, spec.marker, `${blocks}`, ...before],
      {
        cwd: spec.cwd,
        env: { ...spec.env, PAWL_COMMAND: spec.command, PAWL_SUPERVISOR: supervisorScript },
        detached: true,
        stdio: ["ignore", "pipe", "ignore", "pipe"],
      },
    );
    return supervisorOf(child) ?? spawnFailure(child, spec);
  } catch (error) {
    return Promise.resolve(refusalFor(error, spec));
  }
}

function supervisorOf(child: ChildProcess): Supervisor | null {
  const { pid, stdout: output } = child;
  const control = child.stdio[3];
  if (pid === undefined || !output || !(control instanceof Socket)) return null;
  // A supervisor that dies resets both; its end is told by `said`.
  control.on("error", () => {});
  output.on("error", () => {});
  return {
    pid,
    output,
    said: listen(child, { control, output }),
    tell: (word) => {
      if (!control.writableEnded) control.end(`${word}\n`);
    },
    isSilent: () => control.destroyed || control.readableEnded,
    unref: () => {
      child.unref();
      control.unref();
    },
  };
}

type Streams = { readonly control: Socket; readonly output: Readable };

/** A line of the supervisor may still be on its way when its process or the output has ended. */
const lineDelayMs = 100;

function listen(child: ChildProcess, { control, output }: Streams): Promise<Said> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let heard = "";
    const soonGone = (): void => {
      timer ??= setTimeout(resolve, lineDelayMs, { type: "gone" });
    };
    child.once("exit", soonGone);
    output.once("end", soonGone);
    control.once("close", () => resolve({ type: "gone" }));
    control.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      const [word, cause = "", status = ""] = heard.split(/[ \n]/);
      if (!heard.endsWith("\n")) return;
      clearTimeout(timer);
      child.off("exit", soonGone);
      output.off("end", soonGone);
      if (word === "claimed" || word === "unwritable") resolve({ type: word });
      else resolve({ type: "ended", cause, status });
    });
  });
}

function spawnFailure(child: ChildProcess, spec: RunSpec): Promise<RunRefused> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(refusalFor(error, spec)));
  });
}

function refusalFor(error: unknown, spec: RunSpec): RunRefused {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  if (!statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    const message = `The working directory ${spec.cwd} is not there any more. The command was not run. Choose another directory.`;
    return { at: "not_started", reason: "no_cwd", message };
  }
  if (code === "E2BIG") {
    const message =
      "The command and its environment are too long for the system. The command was not run. Put its text into a file.";
    return { at: "not_started", reason: "too_long", message };
  }
  const message = `No process could be started (${code}). The command was not run. Try again.`;
  return { at: "not_started", reason: "no_process", message };
}
