import { execFile } from "node:child_process";
import { join } from "node:path";

import type { Environment } from "../home.ts";
import { readTextFile } from "../text-file.ts";
import type { Repository } from "./repository.ts";

/**
 * Settings under which git runs nothing that the repository brings along. Filters, includes and partial clones
 * cannot be switched off by flags: see `startsNothing`.
 */
const hardened: readonly string[] = [
  "--no-optional-locks",
  "-c",
  "core.fsmonitor=",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.pager=",
  "-c",
  "safe.bareRepository=explicit",
];

const timeoutMs = 1_000;
const maxLines = 20;
const maxBytes = 200_000;

/** `git status --short`, first lines; null when it cannot be told safely and quickly. */
export async function shortStatus(
  repository: Repository,
  cwd: string,
  environment: Environment,
): Promise<string | null> {
  if (!(await startsNothing(repository))) return null;
  const output = await git(["status", "--short", "--ignore-submodules=all"], {
    cwd,
    environment,
    timeoutMs,
  });
  if (output.exitCode !== 0) return null;
  const lines = output.stdout.split("\n").filter(Boolean);
  const more = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(more > 0 ? [`… ${more} more`] : [])].join("\n");
}

/**
 * A repository that arrived as an archive may bring settings that start programs, even for a status; or a pipe in
 * place of a file, which would be waited for without end.
 */
export async function startsNothing({ gitFolder, commonFolder }: Repository): Promise<boolean> {
  const config = await settingsIn(join(commonFolder, "config"));
  const own = await settingsIn(join(gitFolder, "config.worktree"));
  const attributes = await settingsIn(join(commonFolder, "info/attributes"));
  if (!config || own === null || attributes === null || /filter/i.test(attributes)) return false;
  return !/filter|include|promisor|partialclone|worktree\s*=/i.test(config + own);
}

const maxSettingsBytes = 1_000_000;

/** The text of a file, empty when there is none; null when it is none that git should be let near. */
async function settingsIn(path: string): Promise<string | null> {
  const found = await readTextFile(path, maxSettingsBytes);
  if (found.at === "missing") return "";
  return found.at === "read" && !found.cut ? found.text : null;
}

export interface GitOutput {
  /** null = it could not be started or was ended. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git with hardened settings and without the caller's `GIT_*` variables. Never throws. */
export async function git(
  args: readonly string[],
  options: { readonly cwd: string; readonly environment: Environment; readonly timeoutMs: number },
): Promise<GitOutput> {
  const kept = Object.entries(options.environment).filter(([name]) => !name.startsWith("GIT_"));
  const env = {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
  };
  const { promise, resolve } = Promise.withResolvers<GitOutput>();
  execFile(
    "git",
    [...hardened, ...args],
    {
      cwd: options.cwd,
      env,
      timeout: options.timeoutMs,
      maxBuffer: maxBytes,
      killSignal: "SIGKILL",
    },
    (error, stdout, stderr) => {
      const code = error?.code;
      const exitCode = error === null ? 0 : typeof code === "number" ? code : null;
      resolve({ exitCode, stdout, stderr });
    },
  );
  return promise;
}
