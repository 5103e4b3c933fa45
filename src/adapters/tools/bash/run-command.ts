import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { evidenceOf, text, type ToolEnd, type Trace } from "#core";
import type { CrashPoint, Probe, ToolContext, ToolEnv } from "#runtime";
import {
  attachRun,
  bootId,
  callMarker,
  commandEnvironment,
  endRun,
  forbidRun,
  inspectRun,
  startRun,
  type RunRefused,
  type RunState,
} from "../../exec/index.ts";
import { failed, stopped } from "../shared/ends.ts";
import { endedEnd, lostEnd, shownCharacters } from "./report.ts";

/** What is journaled before a command runs: where its supervisor leaves its traces. */
export type RunIntent = {
  readonly runDir: string;
  readonly command: string;
  /** The start of the machine it belongs to; null when that cannot be told. */
  readonly boot: string | null;
  /** The folder was there before this run was planned: the facts of an earlier run were lost with their lines. */
  readonly known?: true;
};

type CallEnv = ToolEnv & { readonly call: string; readonly attempt: number };

export interface CommandRun {
  readonly command: string;
  readonly keepVariables: readonly string[];
  readonly crash: CrashPoint | undefined;
}

export async function planRun(
  { command }: Pick<CommandRun, "command">,
  env: CallEnv,
): Promise<RunIntent> {
  const runDir = join(env.runsDir, `${env.call}-${env.attempt}-${digestOf(command, 8)}`);
  const planned = { runDir, command, boot: await bootId() };
  return existsSync(runDir) ? { ...planned, known: true } : planned;
}

/**
 * A damaged journal counts its calls anew, so the number of a call may come back with another command: the folder
 * of one command is never taken for that of another.
 */
const digestOf = (value: string, digits: number): string =>
  createHash("sha256").update(value).digest("hex").slice(0, digits);

/** Runs the command, or waits for the end of a run that an earlier process has started. */
export async function runCommand(
  { command, keepVariables, crash }: CommandRun,
  context: ToolContext<RunIntent>,
): Promise<ToolEnd> {
  const { signal, intent, timeoutMs, cwd } = context;
  const { runDir, boot } = intent;
  const result = await startRun(
    {
      runDir,
      command,
      cwd,
      env: commandEnvironment(process.env, keepVariables),
      timeoutMs,
      marker: callMarker(runDir),
      shownCharacters,
    },
    {
      signal,
      onOutput(text) {
        context.progress(text);
        crash?.("bash.output");
      },
    },
  );
  crash?.("bash.after_run");
  if (result.at !== "not_started") return endOf(command, result, signal);
  if (result.reason !== "claimed") return refusedEnd(result, signal);
  const state = await attachRun(runDir, {
    signal,
    startedInBoot: boot,
    currentBoot: await bootId(),
    shownCharacters,
  });
  if (state.at === "unclaimed") return failed(result);
  const end = endOf(command, state, signal);
  return intent.known ? { ...end, content: [...end.content, text(ranBefore)] } : end;
}

const ranBefore =
  "[this is what this command did before, in a run whose record in the session is damaged; it was not run again now]";

function refusedEnd(refused: RunRefused, signal: AbortSignal): ToolEnd {
  return refused.reason === "cancelled" ? stopped(signal, refused.message) : failed(refused);
}

type Over = Extract<RunState, { at: "ended" | "lost" }>;

const endOf = (command: string, state: Over, signal: AbortSignal | null): ToolEnd =>
  state.at === "ended" ? endedEnd(command, state.end, signal) : lostEnd(command, state);

function seen(
  type: Exclude<Trace["type"], "file">,
): Pick<Probe, "evidence"> & { readonly traces: readonly Trace[] } {
  const traces = [{ type }];
  return { evidence: evidenceOf(traces), traces };
}

/**
 * What became of a run whose end was not journaled. A run that has not begun is forbidden first: only then is
 * it sure that a supervisor still starting up will never run it.
 */
export async function probeRun({ runDir, command, boot }: RunIntent): Promise<Probe> {
  const options = { startedInBoot: boot, currentBoot: await bootId(), shownCharacters };
  let state = await inspectRun(runDir, options);
  if (state.at === "unclaimed") {
    if (await forbidRun(runDir)) {
      return {
        verdict: "did_not_happen",
        ...seen("not_begun"),
        end: null,
      };
    }
    state = await inspectRun(runDir, options);
  }
  switch (state.at) {
    case "unclaimed":
    case "running":
      return { verdict: "running", ...seen("still_runs"), end: null };
    case "ended":
      return {
        verdict: "happened",
        ...seen("end_recorded"),
        end: endOf(command, state, null),
      };
    case "lost":
      // Both may have been killed together, and then nobody ended the command.
      await endRun(runDir);
      return {
        verdict: "undetermined",
        ...seen(state.reason),
        end: endOf(command, state, null),
      };
    default:
      return state satisfies never;
  }
}
