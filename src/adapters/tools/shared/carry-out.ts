import type { Stats } from "node:fs";
import type { ToolEnd } from "#core";
import type { CrashPoint, ToolContext } from "#runtime";
import {
  changedMeanwhile,
  hashOfFile,
  isTrouble,
  readImage,
  stageChange,
  stagedBefore,
  trouble,
  type Notes,
  type StagedChange,
  type Trouble,
} from "../../workspace/index.ts";
import {
  reportOf,
  stateOf,
  temporaryName,
  type ChangeIntent,
  type FileIntent,
} from "./change-intent.ts";
import { failed, stopped } from "./ends.ts";
import { keepBase } from "./seen.ts";
import { mostFileBytes, type FileChange } from "./planned-file.ts";

type Context = ToolContext<ChangeIntent>;

/** One file of a change, ready to be swapped in. */
interface Ready {
  readonly file: FileIntent;
  /** Mode and owner it had. */
  readonly had: Stats | null;
  readonly staged: StagedChange;
}

/**
 * Makes all changes or none: everything is written beside the files first, and looked at once more; what cannot be
 * finished then is taken back. A process that is killed between two files goes on with `goOn`.
 */
export async function carryOut(
  changes: readonly FileChange[],
  files: readonly FileIntent[],
  options: { readonly context: Context; readonly crash: CrashPoint },
): Promise<ToolEnd> {
  const { context, crash } = options;
  const changing = changes.filter((_, index) => files[index]?.before !== files[index]?.after);
  if (context.signal.aborted) return stopped(context.signal, stoppedEarly);
  await Promise.all(changing.map((change) => keepContents(change, context)));
  const ready: Ready[] = [];
  for (const change of changing) {
    const staged = await stageChange({
      ...change,
      bytes: change.after,
      temporary: temporaryName(change.path, context),
      crash,
    });
    const file = files.find(({ path }) => path === change.path);
    if (isTrouble(staged) || file === undefined) {
      await dropAll(ready);
      return failed(isTrouble(staged) ? staged : changedMeanwhile(change.path));
    }
    ready.push({ file, staged, had: change.before?.stats ?? null });
  }
  return await swapAll(ready, files, context);
}

/** The old content for undo, the new one for a merge with what somebody else changes later. */
async function keepContents(
  { before, after, isKnown }: FileChange,
  context: Context,
): Promise<void> {
  await Promise.all([
    before === null ? null : context.putBlob(before.bytes),
    after === null || !isKnown ? null : keepBase(after, context),
  ]);
}

const stoppedEarly = "Stopped before anything was written.";

async function dropAll(ready: readonly Ready[]): Promise<void> {
  for (const { staged } of ready) await staged.drop();
}

async function swapAll(
  ready: readonly Ready[],
  files: readonly FileIntent[],
  context: Context,
): Promise<ToolEnd> {
  const changed = ready.map(({ staged }) => staged.check()).find((found) => found !== null);
  if (changed !== undefined || context.signal.aborted) {
    await dropAll(ready);
    return changed === undefined ? stopped(context.signal, stoppedEarly) : failed(changed);
  }
  const notes: string[] = [];
  for (const [index, { file, staged }] of ready.entries()) {
    const swapped = await staged.swap();
    if (isTrouble(swapped)) {
      await dropAll(ready.slice(index + 1));
      return failed(await takenBack(ready.slice(0, index), swapped, context));
    }
    notes.push(...named(swapped, file, ready.length));
  }
  return reportOf(files, notes);
}

const named = (notes: Notes, { path }: FileIntent, count: number): readonly string[] =>
  count === 1 ? notes : notes.map((note) => `${path}: ${note}`);

/** One file could not be changed: those that were get their old content back. */
async function takenBack(
  swapped: readonly Ready[],
  cause: Trouble,
  context: Context,
): Promise<Trouble> {
  if (swapped.length === 0) return cause;
  const left: string[] = [];
  for (const one of swapped) {
    if (!(await takeBack(one, context))) left.push(one.file.path);
  }
  const rest =
    left.length === 0
      ? "The other files of this call were given their old content back, so nothing is changed."
      : `These files of the call are changed and could not be given their old content back: ${left.join(", ")}.`;
  return trouble(cause.code, `${cause.message} ${rest}`);
}

async function takeBack({ file, had }: Ready, context: Context): Promise<boolean> {
  const image = await readImage(file.path, mostFileBytes);
  if (file.after === null ? !isTrouble(image) : isTrouble(image)) return false;
  const staged = await stageChange({
    path: file.path,
    bytes: file.before === null ? null : await context.getBlob(file.before),
    before: isTrouble(image) || file.after === null ? null : { ...image, hash: file.after },
    like: had,
    temporary: temporaryName(file.path, context),
    crash: () => {},
  });
  return !isTrouble(staged) && !isTrouble(await staged.swap());
}

/**
 * Finishes a change that a killed process had begun: some files are as the call wants them, the others as they
 * were, with their new content still beside them. Null when it is not so.
 */
export async function goOn(
  files: readonly FileIntent[],
  options: { readonly context: Context; readonly crash: CrashPoint },
): Promise<ToolEnd | null> {
  const { context, crash } = options;
  if (context.attempt === 1) return null;
  const states = await Promise.all(files.map(stateOf));
  if (states.includes("other") || !states.includes("after")) return null;
  const ready: Ready[] = [];
  for (const [index, file] of files.entries()) {
    if (states[index] === "after") continue;
    const prepared = await preparedBefore(file, options);
    if (isTrouble(prepared)) {
      await dropAll(ready);
      const told = `${prepared.message} ${await partOf(files)} Look at the files before you decide.`;
      return failed(trouble("changed", told));
    }
    ready.push(prepared);
  }
  crash("before_going_on");
  return await swapAll(ready, files, context);
}

async function preparedBefore(
  file: FileIntent,
  { context, crash }: { readonly context: Context; readonly crash: CrashPoint },
): Promise<Ready | Trouble> {
  const { path, before, after } = file;
  const image = before === null ? null : await readImage(path, mostFileBytes);
  if (isTrouble(image)) return image;
  const had = image?.stats ?? null;
  const staged = await stagedBefore({
    path,
    after,
    before: had === null || before === null ? null : { stats: had, hash: before },
    like: null,
    temporary: temporaryName(path, context),
    crash,
  });
  return isTrouble(staged) ? staged : { file, staged, had };
}

async function partOf(files: readonly FileIntent[]): Promise<string> {
  const told: string[] = [];
  for (const { path, after } of files) {
    const isDone = (await hashOfFile(path)) === after;
    told.push(`${path} ${isDone ? "is changed" : "is not changed"}`);
  }
  return `Only part of the call was done: ${told.join("; ")}.`;
}
