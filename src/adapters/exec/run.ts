/** What goes into a run and what comes out: plain data. */

/** One command to run once. */
export interface RunSpec {
  /**
   * Full path of the folder of this run: claim, output, end. One folder a call, the same one after a crash;
   * made if it is missing.
   */
  readonly runDir: string;
  /** Handed to the shell byte for byte. */
  readonly command: string;
  readonly cwd: string;
  /** The whole environment; see `commandEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Put into the environment of the command, so that what left its process group is still found. */
  readonly marker: string;
  /** Argument vector of a sandbox that takes the shell's as its last arguments; its first word is a full path. */
  readonly sandbox?: readonly string[];
  /** Most bytes of output kept on disk. Default 64 MiB. */
  readonly diskBytes?: number;
  /** Most characters of output returned. Default 30,000. */
  readonly shownCharacters?: number;
}

export const defaultDiskBytes: number = 64 * 1024 * 1024;
export const defaultShownCharacters = 30_000;

/**
 * `exit`: it ended by itself. The others: the supervisor ended it, because its time was over, because it was
 * told to, or because the agent died.
 */
export type RunCause = "exit" | "timeout" | "cancelled" | "agent_died";

/** Stdout and stderr in the order in which they were written. */
export interface RunOutput {
  /** All of it, or its beginning. Bytes that are no UTF-8 are shown as U+FFFD. */
  readonly head: string;
  /** Its last part; empty when `head` is all of it. */
  readonly tail: string;
  /** Bytes between `head` and `tail` that are not shown. */
  readonly omittedBytes: number;
  readonly totalBytes: number;
  /** The first `keptBytes` of it are in this file. */
  readonly path: string;
  readonly keptBytes: number;
}

export interface RunEnd {
  /** As the shell says it, 128 + n for signal n; null when it was not run or its status is not known. */
  readonly exitCode: number | null;
  /** `SIGKILL` and so on, read off `exitCode`: a command that exits with 137 by itself looks the same. */
  readonly signal: string | null;
  readonly cause: RunCause;
  readonly durationMs: number;
  readonly output: RunOutput;
  /** False: the copier was killed, and what was printed last may be missing. */
  readonly outputIsWhole: boolean;
  /** Processes of it are still there. They end with the agent, or by `endRun`. */
  readonly leftRunning: boolean;
}

/** Nothing was executed. `message` says why and what to do. */
export interface RunRefused {
  readonly at: "not_started";
  readonly reason:
    | "claimed"
    | "cancelled"
    | "no_cwd"
    | "no_shell"
    | "bad_command"
    | "too_long"
    | "no_run_folder"
    | "no_process";
  readonly message: string;
}

/** It was started, nothing of it runs any more, and how it ended is not known. */
export interface RunLost {
  readonly at: "lost";
  /** `supervisor_gone`: killed. `rebooted`: the machine went down, and a claim may have gone with it. */
  readonly reason: "supervisor_gone" | "rebooted";
  readonly output: RunOutput;
}

export interface RunEnded {
  readonly at: "ended";
  readonly end: RunEnd;
}

export type RunResult = RunEnded | RunLost | RunRefused;

/** What a run folder says. `unclaimed`: it has not begun. */
export type RunState =
  | { readonly at: "unclaimed" }
  | { readonly at: "running"; readonly supervisorPid: number }
  | RunEnded
  | RunLost;
