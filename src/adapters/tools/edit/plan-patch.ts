import { lstatSync } from "node:fs";
import type { ToolEnv } from "#runtime";
import {
  absolutePath,
  countLines,
  diskName,
  hashOf,
  isTrouble,
  kindTrouble,
  readImage,
  shownPath,
  trouble,
  type Trouble,
} from "../../workspace/index.ts";
import { countOf, linesOf, sizeOf } from "../shared/ends.ts";
import { mostFileBytes, type FileChange } from "../shared/planned-file.ts";
import { seenHash } from "../shared/seen.ts";
import { notThere } from "../shared/not-there.ts";
import type { PatchStep } from "./parse-patch.ts";
import { placeHunks } from "./place-hunks.ts";
import { planEdit } from "./plan-edit.ts";

interface Where {
  readonly env: ToolEnv;
  /** Real path of a written one. */
  readonly real: (written: string) => string;
}

/** The paths a patch may change, as written. */
export const pathsOf = (steps: readonly PatchStep[]): readonly string[] =>
  steps.flatMap((step) =>
    step.type === "update" && step.moveTo !== null ? [step.path, step.moveTo] : [step.path],
  );

/** What a patch would make of its files: all of it or trouble. */
export async function planPatch(
  steps: readonly PatchStep[],
  where: Where,
): Promise<readonly FileChange[] | Trouble> {
  const changes: FileChange[] = [];
  for (const step of steps) {
    const planned = await planStep(step, where);
    if (isTrouble(planned)) return planned;
    changes.push(...planned);
  }
  const paths = changes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice === undefined) return changes;
  return trouble(
    "bad_patch",
    `The patch changes ${shownPath(twice, where.env.cwd)} twice; nothing was changed. Join it into one section.`,
  );
}

async function planStep(step: PatchStep, where: Where): Promise<readonly FileChange[] | Trouble> {
  const path = where.real(step.path);
  switch (step.type) {
    case "add":
      return await planAdd(path, step.content, where);
    case "delete":
      return await planDelete(step.path, path, where);
    case "update": {
      if (step.moveTo !== null) return await planMove(step, path, where);
      const change = await planEdit(path, where.env, (flat, shown) =>
        placeHunks(flat, step.hunks, shown),
      );
      return isTrouble(change) ? change : [change];
    }
    default:
      return step satisfies never;
  }
}

async function planAdd(
  path: string,
  content: string,
  { env: { cwd } }: Where,
): Promise<readonly FileChange[] | Trouble> {
  const taken = takenBy(path, cwd);
  if (taken !== null) return taken;
  const after = Buffer.from(content, "utf8");
  const count = countLines(content);
  const lines = count === 0 ? null : ([1, count] as const);
  const where = lines === null ? "" : `, ${linesOf(lines)}`;
  const message = `wrote ${countOf(after.length, "byte")} to ${shownPath(path, cwd)}${where} (new file)`;
  return [{ path, before: null, after, like: null, lines, message, isKnown: true }];
}

function takenBy(path: string, cwd: string): Trouble | null {
  const there = lstatSync(diskName(path), { throwIfNoEntry: false });
  if (there === undefined) return null;
  return (
    kindTrouble(there, shownPath(path, cwd)) ??
    trouble(
      "file_exists",
      `${shownPath(path, cwd)} exists already; nothing was changed. Use *** Update File to change it.`,
    )
  );
}

async function planDelete(
  written: string,
  path: string,
  { env: { cwd } }: Where,
): Promise<readonly FileChange[] | Trouble> {
  const shown = shownPath(path, cwd);
  const named = lstatSync(diskName(absolutePath(written, cwd)), { throwIfNoEntry: false });
  if (named?.isSymbolicLink() === true) {
    return trouble(
      "bad_path",
      `${written} is a symbolic link; nothing was changed. Remove it with bash.`,
    );
  }
  const image = await readImage(path, mostFileBytes);
  if (isTrouble(image)) {
    return image.code === "file_not_found" ? notThere(path, cwd, "Nothing was deleted.") : image;
  }
  const before = { ...image, hash: hashOf(image.bytes) };
  const message = `deleted ${shown} (${sizeOf(image.bytes.length)})`;
  return [{ path, before, after: null, like: null, lines: null, message, isKnown: false }];
}

async function planMove(
  step: Extract<PatchStep, { type: "update" }>,
  path: string,
  where: Where,
): Promise<readonly FileChange[] | Trouble> {
  const { env, real } = where;
  const { cwd } = env;
  const target = real(step.moveTo ?? step.path);
  const taken = takenBy(target, cwd);
  if (taken !== null) return taken;
  const removed = await planDelete(step.path, path, where);
  if (isTrouble(removed)) return removed;
  const [old] = removed;
  if (old === undefined || old.before === null) return notThere(path, cwd, "Nothing was moved.");
  const edited =
    step.hunks.length === 0
      ? { after: old.before.bytes, lines: null, before: old.before }
      : await planEdit(path, env, (flat, shown) => placeHunks(flat, step.hunks, shown));
  if (isTrouble(edited)) return edited;
  if (edited.before?.hash !== old.before.hash) {
    return trouble(
      "changed",
      `${step.path} was changed in this moment; nothing was changed. Try again.`,
    );
  }
  const { after, lines } = edited;
  const isKnown = seenHash(path, env) === old.before.hash;
  const bytes = countOf(after?.length ?? 0, "byte");
  const from = shownPath(path, cwd);
  const message = `moved ${from} to ${shownPath(target, cwd)} (${bytes}${lines === null ? "" : `, changed ${linesOf(lines)}`})`;
  return [
    { path: target, before: null, after, like: old.before.stats, lines, message, isKnown },
    { ...old, message: "" },
  ];
}
