import { text, type EffectReport, type ToolEnd } from "#core";
import type { RunEnd, RunLost, RunOutput } from "../../exec/index.ts";
import { headOf, mostCharacters, tailOf } from "../shared/cap-text.ts";
import { sizeOf } from "../shared/ends.ts";

/** Characters of output that are shown; the rest of the limit is for the notes. */
export const shownCharacters: number = mostCharacters - 1500;

/** The end of a run that is known. `signal`: told to stop, and why; null when nobody waits for the run any more. */
export function endedEnd(command: string, end: RunEnd, signal: AbortSignal | null): ToolEnd {
  const stop = stopOf(end, signal);
  const notes = [
    ...exitNotes(end, stop),
    ...(stop === null ? [] : [stopNote(stop, end.durationMs)]),
    ...(end.outputIsWhole
      ? []
      : ["what it printed last may be missing: the process that copied its output was killed"]),
    ...(end.leftRunning
      ? ["a process it started in the background is still running; it ends with this session"]
      : []),
  ];
  const outcome =
    stop === null
      ? end.exitCode === 0
        ? "ok"
        : "error"
      : stop === "timeout"
        ? "timeout"
        : "interrupted";
  return endWith(outcome, { output: end.output, notes }, ranEffect(command, end));
}

/** It began, and how it ended cannot be found out. */
export function lostEnd(command: string, { reason, output }: RunLost): ToolEnd {
  const why =
    reason === "rebooted"
      ? "the machine was started anew meanwhile"
      : "its supervisor was killed, and the command with it";
  const notes = [
    `how the command ended is not known: ${why}; it may have done part of its work, so look before you run it again`,
  ];
  const effect = ranEffect(command, { exitCode: null, durationMs: 0 });
  return endWith("interrupted", { output, notes }, effect);
}

type Stop = "timeout" | "cancelled" | "agent_died";

/** Why it did not end by itself; null when it did. */
function stopOf({ cause }: RunEnd, signal: AbortSignal | null): Stop | null {
  if (cause === "exit" || cause === "agent_died") return cause === "exit" ? null : cause;
  return cause === "timeout" || signal?.reason === "timeout" ? "timeout" : "cancelled";
}

function exitNotes({ exitCode, signal }: RunEnd, stop: Stop | null): readonly string[] {
  if (stop !== null || exitCode === 0) return [];
  if (exitCode === null) return ["its exit code is not known"];
  return [`exit code ${exitCode}${signal === null ? "" : `, as after ${signal}`}`];
}

function stopNote(stop: Stop, durationMs: number): string {
  const after = `after ${(durationMs / 1000).toFixed(1)} s`;
  switch (stop) {
    case "timeout":
      return `the time was up ${after}: the command was ended with everything it started. What is above is all it printed; give a larger timeout_ms (at most 600000) or split the work`;
    case "cancelled":
      return `cancelled by the user ${after}: the command was ended with everything it started. What is above is all it printed`;
    case "agent_died":
      return `ended because the agent died ${after}: it may have done part of its work. What is above is all it printed`;
    default:
      return stop satisfies never;
  }
}

const ranEffect = (
  command: string,
  { exitCode, durationMs }: Pick<RunEnd, "exitCode" | "durationMs">,
): EffectReport => ({ type: "process_ran", command, exitCode, durationMs, changed: [] });

function endWith(
  outcome: ToolEnd["outcome"],
  said: { readonly output: RunOutput; readonly notes: readonly string[] },
  effect: EffectReport,
): ToolEnd {
  const shown = showOutput(said.output);
  const notes = said.notes.map((note) => `[${note}]`);
  const parts = shown === "" && notes.length === 0 ? ["[no output]"] : [shown, ...notes];
  return {
    outcome,
    content: [text(parts.filter((part) => part !== "").join("\n"))],
    effects: [effect],
  };
}

/** Never more UTF-16 units than fit, whatever a character is to the one who captured it. */
function showOutput({ head, tail, omittedBytes, totalBytes, path, keptBytes }: RunOutput): string {
  const half = shownCharacters / 2;
  const isWhole = tail === "" && omittedBytes === 0;
  if (isWhole && head.length <= shownCharacters) return head.replace(/\n$/, "");
  const first = headOf(head, half);
  const last = tailOf(isWhole ? head : tail, half);
  const kept = keptBytes < totalBytes ? `the first ${sizeOf(keptBytes)} of it are` : "all of it is";
  const notice = `[… output of ${sizeOf(totalBytes)}, the middle is left out; ${kept} in ${path}]`;
  return `${first.replace(/\n$/, "")}\n${notice}\n${last.replace(/\n$/, "")}`;
}
