import { createHash } from "node:crypto";
import { evidenceOf, type EffectReport, type Hash, type ToolEnd, type Trace } from "#core";
import type { Probe, ToolContext } from "#runtime";
import {
  hashOf,
  hashOfFile,
  isTrouble,
  removeTemporary,
  type Trouble,
} from "../../workspace/index.ts";
import { done } from "./ends.ts";
import { seenDoc } from "./seen.ts";
import type { FileChange } from "./planned-file.ts";

/** What is journaled before the run: enough to find out later what became of it, and to report it alike. */
export type ChangeIntent =
  | { readonly type: "refused" }
  | {
      readonly type: "change";
      readonly files: readonly {
        readonly path: string;
        /** Null: there is no file yet. */
        readonly before: Hash | null;
        /** Null: the file is removed. */
        readonly after: Hash | null;
        /** Permission bits the file has and keeps; null for a new file. */
        readonly mode: number | null;
        readonly bytes: number;
        readonly lines: readonly [from: number, to: number] | null;
        readonly message: string;
        /** The model knows all of the new content then. */
        readonly isKnown: boolean;
      }[];
    };

export type FileIntent = Extract<ChangeIntent, { type: "change" }>["files"][number];

export const intentOf = (changes: readonly FileChange[]): ChangeIntent => ({
  type: "change",
  files: changes.map(({ path, before, after, like, lines, message, isKnown }) => ({
    path,
    before: before?.hash ?? null,
    after: after === null ? null : hashOf(after),
    mode: like === null ? null : like.mode & 0o7777,
    bytes: after?.length ?? 0,
    lines,
    message,
    isKnown,
  })),
});

/** The changes are to the letter what the intent says. */
export function isPlanned(changes: readonly FileChange[], files: readonly FileIntent[]): boolean {
  return (
    changes.length === files.length &&
    changes.every(({ path, before, after }, index) => {
      const file = files[index];
      const isSame = file?.path === path && file.before === (before?.hash ?? null);
      return isSame && file.after === (after === null ? null : hashOf(after));
    })
  );
}

/** How a run ends that did everything. */
export function reportOf(files: readonly FileIntent[], notes: readonly string[] = []): ToolEnd {
  const effects = files.flatMap((file): readonly EffectReport[] => {
    const { path, bytes, lines, before, after } = file;
    if (before === after) return [];
    if (after === null) return [{ type: "file_deleted", path, before }];
    return [{ type: "file_written", path, bytes, lines, before, after }];
  });
  const messages = files.map(({ message }) => message).filter((message) => message !== "");
  const docs = Object.fromEntries(
    files.flatMap(({ path, after, isKnown }) =>
      isKnown || after === null ? Object.entries(seenDoc(path, after)) : [],
    ),
  );
  return { ...done([...messages, ...notes.map((note) => `[${note}]`)].join("\n"), effects), docs };
}

type Where = Pick<ToolContext<null>, "runsDir" | "call">;

/**
 * The same for every attempt of a call, so that the next attempt or the probe removes what a killed one left;
 * the run folder tells sessions apart.
 */
export function temporaryName(path: string, env: Where): string {
  const id = createHash("sha256").update(`${env.runsDir}\0${env.call}\0${path}`).digest("hex");
  return `.pawl-tmp-${id.slice(0, 16)}`;
}

/** A file now: as before the call, as after it, or neither. */
export type FileState = "before" | "after" | "other";

export async function stateOf({ path, before, after }: FileIntent): Promise<FileState> {
  return placed(await hashOfFile(path), before, after);
}

function placed(now: Hash | null | Trouble, before: Hash | null, after: Hash | null): FileState {
  if (now === after) return "after";
  return now === before ? "before" : "other";
}

/** What became of a run whose end was not recorded. */
export async function probeChange(intent: ChangeIntent, env: Where): Promise<Probe> {
  if (intent.type === "refused") {
    const traces = [{ type: "refused_before" }] as const;
    return { verdict: "did_not_happen", evidence: evidenceOf(traces), traces, end: null };
  }
  const seen: { readonly file: FileIntent; readonly state: FileState; readonly trace: Trace }[] =
    [];
  for (const file of intent.files) {
    const now = await hashOfFile(file.path);
    const state = placed(now, file.before, file.after);
    seen.push({ file, state, trace: traceOf(file, state, now) });
  }
  const traces = seen.map(({ trace }) => trace);
  const evidence = evidenceOf(traces);
  const changing = seen.filter(({ file }) => file.before !== file.after);
  const isPart =
    seen.every(({ state }) => state !== "other") &&
    changing.some(({ state }) => state === "after") &&
    changing.some(({ state }) => state === "before");
  // Half of the files are changed: the run goes on with what it had prepared.
  if (isPart) return { verdict: "running", evidence, traces, end: null };
  for (const { file } of seen) await removeTemporary(file.path, temporaryName(file.path, env));
  if (seen.every(({ state }) => state === "after")) {
    return { verdict: "happened", evidence, traces, end: reportOf(intent.files) };
  }
  const isUndone = changing.every(({ state }) => state === "before");
  return { verdict: isUndone ? "did_not_happen" : "undetermined", evidence, traces, end: null };
}

function traceOf(file: FileIntent, state: FileState, now: Hash | null | Trouble): Trace {
  const { path, before, after } = file;
  const is = (what: Extract<Trace, { type: "file" }>["now"]): Trace => ({
    type: "file",
    path,
    now: what,
  });
  if (state === "after") return is(after === null ? "deleted" : "written");
  if (state === "before") return is(before === null ? "absent" : "old");
  return is(now === null ? "gone" : isTrouble(now) ? "unreadable" : "other");
}
