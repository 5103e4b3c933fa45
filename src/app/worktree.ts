import { randomBytes } from "node:crypto";
import { appendFile, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { PawlError } from "#core";
import type { Words } from "#i18n";
import { git, startsNothing } from "./context/git-status.ts";
import { findRepository, type Repository } from "./context/repository.ts";
import type { Environment } from "./home.ts";
import { readTextFile } from "./text-file.ts";

const folder = ".pawl/worktrees";
const timeoutMs = 120_000;

/**
 * A git work tree of its own for a session, under `.pawl/worktrees/NAME` on the branch `pawl/NAME`; one that is
 * there already is used again. Git is told to overlook the folder.
 * @param name letters, digits, `.`, `_`, `-`; null = a new one
 * @returns its folder
 * @throws PawlError `usage`, `worktree_failed`
 */
export async function openWorktree(
  name: string | null,
  place: { readonly cwd: string; readonly environment: Environment },
  words: Words,
): Promise<string> {
  const chosen = name ?? `w-${randomBytes(4).toString("hex")}`;
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(chosen) || /\.\.|\.lock$|\.$/.test(chosen)) {
    throw new PawlError("usage", words.worktree.name(chosen));
  }
  const repository = await findRepository(place.cwd);
  if (!repository) throw new PawlError("usage", words.worktree.noRepository(place.cwd));
  const path = join(mainTree(repository), folder, chosen);
  if (await stat(join(path, ".git")).catch(() => null)) return path;
  if (!(await startsNothing(repository))) {
    throw new PawlError("worktree_failed", words.worktree.unsafe(repository.commonFolder));
  }
  await exclude(repository.commonFolder);
  await mkdir(dirname(path), { recursive: true });
  const branch = `pawl/${chosen}`;
  const known = await git(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], {
    ...place,
    timeoutMs,
  });
  const target = known.exitCode === 0 ? [path, branch] : ["-b", branch, path];
  const added = await git(["worktree", "add", ...target], { ...place, timeoutMs });
  if (added.exitCode === 0) return path;
  throw new PawlError("worktree_failed", words.worktree.failed(path, added.stderr.trim()));
}

/** Work trees of a work tree would nest: all stand beside each other in the main one. */
function mainTree({ root, gitFolder, commonFolder }: Repository): string {
  return gitFolder === commonFolder ? root : dirname(commonFolder);
}

/** Bytes; a longer list of exclusions, or what is no plain file, is left alone. */
const maxExcludeBytes = 1_000_000;

async function exclude(commonFolder: string): Promise<void> {
  const file = join(commonFolder, "info/exclude");
  const line = `/${folder}/`;
  const found = await readTextFile(file, maxExcludeBytes);
  if (found.at === "unusable" || (found.at === "read" && found.cut)) return;
  const text = found.at === "read" ? found.text : "";
  if (text.split("\n").includes(line)) return;
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}
