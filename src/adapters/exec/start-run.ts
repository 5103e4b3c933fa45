import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { capture, type Excerpt, show } from "./capture.ts";
import { launch, type Said, shellPath, type Supervisor, type Word } from "./launch.ts";
import { release, whatIsLeft } from "./left-running.ts";
import { showProgress } from "./progress.ts";
import {
  defaultDiskBytes,
  defaultShownCharacters,
  type RunOutput,
  type RunRefused,
  type RunResult,
  type RunSpec,
} from "./run.ts";
import { type EndRecord, outputPath, parseEnd, readEnd } from "./run-folder.ts";
import { checkMarker, kill, sweep } from "./sweep.ts";

export interface StartOptions {
  /** Abort ends the tree of the command within a second; its output is kept. */
  readonly signal: AbortSignal;
  /** Output while it comes, for watching; may skip some. Must not throw. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Runs a command once, under a supervisor that outlives this process by as long as it takes to end the command
 * and to record that. Resolves when the shell has ended, not when all it started has. A run folder that was
 * claimed before is refused and nothing is executed. Throws `marker_invalid`.
 */
export async function startRun(spec: RunSpec, options: StartOptions): Promise<RunResult> {
  checkMarker(spec.marker);
  const supervisor = refusal(spec, options.signal) ?? (await launch(spec));
  if ("reason" in supervisor) return supervisor;

  const startedMs = performance.now();
  const captured = capture(supervisor.output, spec.shownCharacters ?? defaultShownCharacters);
  const stopShowing = options.onOutput && showProgress(supervisor.output, options.onOutput);
  const said = await verdict(supervisor, { timeoutMs: spec.timeoutMs, signal: options.signal });
  const durationMs = Math.round(performance.now() - startedMs);
  if (said.type === "claimed" || said.type === "unwritable") return refusedBy(said.type, spec);

  const end =
    said.type === "ended" ? parseEnd(said.cause, said.status) : await endOf(supervisor, spec);
  const rest = await whatIsLeft(supervisor, { marker: spec.marker, captured });
  stopShowing?.();
  // The result does not wait for the supervisor to go.
  setImmediate(release, supervisor, rest);
  const output = outputOf(captured.excerpt(), spec);
  if (end === null || end.cause === "lost") {
    return { at: "lost", reason: "supervisor_gone", output };
  }
  const { exitCode, signal, cause } = end;
  const leftRunning = rest.at !== "nothing";
  return {
    at: "ended",
    end: { exitCode, signal, cause, durationMs, output, outputIsWhole: true, leftRunning },
  };
}

/** Longest single argument or variable that Linux passes on, with its name and its NUL. */
const longestBytes = 128 * 1024 - "PAWL_COMMAND=".length - 1;

function refusal({ command }: RunSpec, signal: AbortSignal): RunRefused | null {
  const refuse = (reason: RunRefused["reason"], message: string): RunRefused => {
    return { at: "not_started", reason, message };
  };
  const bytes = Buffer.byteLength(command);
  if (signal.aborted) {
    return refuse("cancelled", "Cancelled before it began. The command was not run.");
  }
  if (command.includes("\0")) {
    return refuse("bad_command", "The command holds a NUL byte. It was not run. Leave it out.");
  }
  if (bytes > longestBytes) {
    const message = `The command has ${bytes} bytes; at most ${longestBytes} can be passed to a shell. It was not run. Put its text into a file first.`;
    return refuse("too_long", message);
  }
  if (!existsSync(shellPath())) {
    return refuse("no_shell", "bash was not found. The command was not run. Install bash.");
  }
  return null;
}

function refusedBy(said: "claimed" | "unwritable", { runDir }: RunSpec): RunRefused {
  if (said === "unwritable") {
    const message = `The run folder ${runDir} cannot be written. The command was not run. Free some space or check its permissions.`;
    return { at: "not_started", reason: "no_run_folder", message };
  }
  const message =
    "This run was claimed before and may have run then. Nothing was executed now. Ask its folder how it ended.";
  return { at: "not_started", reason: "claimed", message };
}

const longestTimerMs = 2 ** 31 - 1;
/** From the word that ends a run to the line that says it has ended; the supervisor needs half of it. */
const patienceMs = 2_000;

type Limits = { readonly timeoutMs: number; readonly signal: AbortSignal };

/** The line of the supervisor; it is told when the time is over and when the run is cancelled. */
function verdict(supervisor: Supervisor, { timeoutMs, signal }: Limits): Promise<Said> {
  return new Promise((resolve, reject) => {
    let patience: NodeJS.Timeout | undefined;
    const tell = (word: Word): void => {
      patience ??= setTimeout(resolve, patienceMs, { type: "gone" });
      supervisor.tell(word);
    };
    const cancel = (): void => tell("cancelled");
    const limit = setTimeout(tell, Math.min(timeoutMs, longestTimerMs), "timeout");
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    supervisor.said.then(resolve, reject).finally(() => {
      clearTimeout(limit);
      clearTimeout(patience);
      signal.removeEventListener("abort", cancel);
    });
  });
}

const looksForEnd = 50;

/** How a run ended whose supervisor is dead or stopped, at least in part. Afterwards nothing of it runs. */
async function endOf(supervisor: Supervisor, spec: RunSpec): Promise<EndRecord | null> {
  supervisor.tell("lost");
  let end = await readEnd(spec.runDir);
  for (let looks = 0; end === null && looks < looksForEnd && !supervisor.isSilent(); looks += 1) {
    await delay(patienceMs / 2 / looksForEnd);
    end = await readEnd(spec.runDir);
  }
  kill(-supervisor.pid);
  await sweep(spec.marker);
  return end;
}

function outputOf(excerpt: Excerpt, spec: RunSpec): RunOutput {
  const keptBytes = Math.min(excerpt.totalBytes, spec.diskBytes ?? defaultDiskBytes);
  const shown = show(excerpt, spec.shownCharacters ?? defaultShownCharacters);
  return { ...shown, path: outputPath(spec.runDir), keptBytes };
}
