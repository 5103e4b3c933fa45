import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

import { capture, type Excerpt, show } from "./capture.ts";
import { launch, type Said, shellPath, type Supervisor, type Word } from "./launch.ts";
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
import { checkMarker, kill, survivors, sweep } from "./sweep.ts";

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
    said.type === "ended" ? parseEnd(said.status, said.cause) : await endOf(supervisor, spec);
  const areLeft = async (): Promise<boolean> =>
    (await survivors(spec.marker, supervisor.pid)).length > 0;
  const isHeld = !(await hasEnded(supervisor.output, captured, areLeft));
  stopShowing?.();
  const leftRunning = await release(supervisor, { areLeft, isHeld });
  const output = outputOf(captured(), spec);
  if (end === null || end.cause === "lost") {
    return { at: "lost", reason: "supervisor_gone", output };
  }
  const { exitCode, signal, cause } = end;
  return { at: "ended", end: { exitCode, signal, cause, durationMs, output, leftRunning } };
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

const firstLookMs = 20;
const nextLookMs = 10;
/** As long as processes of the command are left, which may hold the output for ever. */
const lastLookMs = 60;
/** When none are left the output ends by itself, as soon as a busy machine has let the copier run. */
const latestEndMs = 1_000;

/**
 * Has everything of the output come? What the shell wrote before it ended is in the pipe; what a process in
 * the background still writes would never end. So: until the end, or, while such a process is there, until a look
 * finds nothing new.
 */
async function hasEnded(
  output: Readable,
  captured: () => Excerpt,
  areLeft: () => Promise<boolean>,
): Promise<boolean> {
  const ended = new Promise<true>((resolve) => {
    if (output.readableEnded) resolve(true);
    output.once("end", () => resolve(true));
  });
  for (let waitedMs = 0; waitedMs < latestEndMs;) {
    const seenBytes = captured().totalBytes;
    const waitMs = waitedMs === 0 ? firstLookMs : nextLookMs;
    if (await Promise.race([ended, delay(waitMs, false)])) return true;
    waitedMs += waitMs;
    const isQuiet = waitedMs > firstLookMs && seenBytes === captured().totalBytes;
    if ((isQuiet || waitedMs >= lastLookMs) && (await areLeft())) return false;
  }
  return false;
}

/** Processes that end on their own right after the shell are not worth a word. */
const stragglerLooks = 4;
const stragglerMs = 10;
const watchEveryMs = 5_000;

type Rest = { readonly areLeft: () => Promise<boolean>; readonly isHeld: boolean };

/** Lets the supervisor go, or, if something was left running, stay until that or this process has ended. */
async function release(supervisor: Supervisor, { areLeft, isHeld }: Rest): Promise<boolean> {
  let left = await areLeft();
  for (let look = 0; left && !isHeld && look < stragglerLooks; look += 1) {
    await delay(stragglerMs);
    left = await areLeft();
  }
  supervisor.unref();
  supervisor.output.destroy();
  if (!left && !isHeld) supervisor.tell("done");
  // Whoever holds the output but carries no marker cannot be watched: the supervisor stays.
  if (left) watchRest(supervisor, areLeft);
  return left || isHeld;
}

function watchRest(supervisor: Supervisor, areLeft: () => Promise<boolean>): void {
  const look = async (): Promise<void> => {
    if (await areLeft()) return;
    clearInterval(timer);
    supervisor.tell("done");
  };
  const timer = setInterval(() => void look(), watchEveryMs).unref();
}

function outputOf(excerpt: Excerpt, spec: RunSpec): RunOutput {
  const keptBytes = Math.min(excerpt.totalBytes, spec.diskBytes ?? defaultDiskBytes);
  const shown = show(excerpt, spec.shownCharacters ?? defaultShownCharacters);
  return { ...shown, path: outputPath(spec.runDir), keptBytes };
}
