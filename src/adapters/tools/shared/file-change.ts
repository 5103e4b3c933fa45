import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import type { EffectReport, Hash, ToolEnd } from "#core";
import type { CrashPoint, Probe, Tool, ToolContext, ToolEnv } from "#runtime";
import {
  changedMeanwhile,
  hashOf,
  hashOfFile,
  isTrouble,
  removeTemporary,
  replaceFile,
  type Trouble,
} from "../../workspace/index.ts";
import { done, failed, stopped } from "./ends.ts";
import { judgedPath, resourceOf } from "./judged.ts";

/** Bytes; larger files are neither edited nor kept for undo. */
export const mostFileBytes: number = 64 << 20;

/** One file and the bytes it is to have, worked out without changing anything. */
export interface FileChange {
  /** Real path. */
  readonly path: string;
  /** Null when there is no file yet. */
  readonly before: {
    readonly hash: Hash;
    readonly stats: Stats;
    readonly bytes: Buffer;
  } | null;
  readonly after: Buffer;
  /** Lines of the new file that are new, 1-based and inclusive; null when there are none. */
  readonly lines: readonly [from: number, to: number] | null;
  /** What a successful run says. */
  readonly message: string;
}

/** What is journaled before the run: enough to find out later what became of it, and to report it alike. */
type ChangeIntent =
  | { readonly type: "refused" }
  | {
      readonly type: "change";
      readonly path: string;
      readonly before: Hash | null;
      readonly after: Hash;
      /** Permission bits the file has and keeps; null for a new file. */
      readonly mode: number | null;
      readonly bytes: number;
      readonly lines: readonly [from: number, to: number] | null;
      readonly message: string;
    };

type Where = Pick<ToolEnv, "cwd">;

interface ChangeTool<Input> {
  readonly name: string;
  readonly crash: CrashPoint | undefined;
  /** Works out the change to the file at this real path. */
  change(input: Input, path: string, where: Where): Promise<FileChange | Trouble>;
}

type ChangeParts<Input> = Required<
  Pick<Tool<Input, ChangeIntent>, "need" | "plan" | "run" | "probe">
>;

/** How every tool that writes one file is judged, planned, run and probed. */
export function fileChange<Input extends { readonly path: string }>(
  tool: ChangeTool<Input>,
): ChangeParts<Input> {
  return {
    need: (input, env) => ({ access: "write", resources: [resourceOf(input.path, env.cwd)] }),
    async plan(input, env) {
      const change = await tool.change(input, resourceOf(input.path, env.cwd), env);
      return isTrouble(change) ? { type: "refused" } : intentOf(change);
    },
    async run(input, context) {
      const path = judgedPath(input.path, context);
      if (isTrouble(path)) return failed(path);
      const change = await tool.change(input, path, context);
      if (isTrouble(change)) return failed(change);
      if (!isPlanned(change, context.intent)) return failed(changedMeanwhile(input.path));
      return await carryOut(tool, change, context);
    },
    probe: probeChange,
  };
}

function intentOf(change: FileChange): ChangeIntent {
  return {
    type: "change",
    path: change.path,
    before: change.before?.hash ?? null,
    after: hashOf(change.after),
    mode: change.before === null ? null : change.before.stats.mode & 0o7777,
    bytes: change.after.length,
    lines: change.lines,
    message: change.message,
  };
}

const isPlanned = (change: FileChange, intent: ChangeIntent): boolean =>
  intent.type === "change" &&
  intent.path === change.path &&
  intent.before === (change.before?.hash ?? null) &&
  intent.after === hashOf(change.after);

async function carryOut<Input>(
  tool: ChangeTool<Input>,
  change: FileChange,
  context: ToolContext<ChangeIntent>,
): Promise<ToolEnd> {
  const { signal, intent } = context;
  if (intent.type === "refused" || intent.before === intent.after) return done(change.message);
  if (signal.aborted) return stopped(signal, "Stopped before anything was written.");
  if (change.before !== null) await context.putBlob(change.before.bytes);
  const notes = await replaceFile({
    path: change.path,
    bytes: change.after,
    before: change.before?.stats ?? null,
    temporary: temporaryName(intent.path, context),
    signal,
    crash: (point) => tool.crash?.(`${tool.name}.${point}`),
  });
  if (!isTrouble(notes)) return reportOf(intent, notes);
  return notes.code === "stopped" ? stopped(signal, notes.message) : failed(notes);
}

function reportOf(
  intent: Extract<ChangeIntent, { type: "change" }>,
  notes: readonly string[] = [],
): ToolEnd {
  const { path, bytes, lines, before, after } = intent;
  if (before === after) return done(intent.message);
  const effect: EffectReport = { type: "file_written", path, bytes, lines, before, after };
  return done([intent.message, ...notes.map((note) => `[${note}]`)].join("\n"), [effect]);
}

/**
 * The same for every attempt of a call, so that the next attempt or the probe removes what a killed one left;
 * the run folder tells sessions apart.
 */
function temporaryName(path: string, env: Pick<ToolContext<null>, "runsDir" | "call">): string {
  const id = createHash("sha256").update(`${env.runsDir}\0${env.call}\0${path}`).digest("hex");
  return `.pawl-tmp-${id.slice(0, 16)}`;
}

async function probeChange(
  intent: ChangeIntent,
  env: Pick<ToolContext<null>, "runsDir" | "call">,
): Promise<Probe> {
  if (intent.type === "refused") {
    return {
      verdict: "did_not_happen",
      evidence: "The call was refused before it ran.",
      end: null,
    };
  }
  const { path, before, after } = intent;
  await removeTemporary(path, temporaryName(path, env));
  const now = await hashOfFile(path);
  if (now === after) {
    return {
      verdict: "happened",
      evidence: `${path} has exactly the content the call was to write.`,
      end: reportOf(intent),
    };
  }
  if (now === before) {
    const evidence =
      before === null ? `${path} does not exist.` : `${path} still has its old content.`;
    return { verdict: "did_not_happen", evidence, end: null };
  }
  const seen = now === null ? "is gone" : isTrouble(now) ? "cannot be read" : "has other content";
  return {
    verdict: "undetermined",
    evidence: `${path} ${seen}: neither what it was before the call nor what the call was to write.`,
    end: null,
  };
}
