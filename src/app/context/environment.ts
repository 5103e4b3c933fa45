import { basename } from "node:path";

import type { Environment } from "../home.ts";
import type { Repository } from "./repository.ts";

export interface Surroundings {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly cwd: string;
  /** Further folders that may be written in. */
  readonly addedFolders: readonly string[];
  readonly platform: string;
  readonly environment: Environment;
  readonly repository: Repository | null;
  /** `git status --short`; null when it is not known. */
  readonly status: string | null;
}

/** The volatile end of the system prompt: date, folder, platform, shell, git. */
export function environmentText(around: Surroundings): string {
  const { repository, status } = around;
  const lines = [
    "# Environment",
    "",
    `- Date: ${localDate(around.now)}`,
    `- Folder: ${around.cwd}`,
    ...around.addedFolders.map((folder) => `- Also writable: ${folder}`),
    `- Platform: ${around.platform}`,
    `- Shell for commands: bash (the person uses ${basename(around.environment["SHELL"] ?? "") || "an unknown one"})`,
    repository === null ? "- Git: not a repository" : `- Git: ${gitLine(repository)}`,
  ];
  if (repository !== null && status !== null) {
    lines.push(status === "" ? "- Git status at the start: clean" : "- Git status at the start:");
    lines.push(
      ...status
        .split("\n")
        .filter(Boolean)
        .map((line) => `    ${line}`),
    );
  }
  return lines.join("\n");
}

function gitLine({ root, branch, head }: Repository): string {
  const place = branch === null ? "no branch (detached)" : `branch ${branch}`;
  return `${place}, ${head === null ? "no commit yet" : `commit ${head.slice(0, 10)}`}, top folder ${root}`;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/**
 * `2026-01-31 (Saturday), UTC+01:00`: no time of day, so that the prompt is the same all day. Done by hand: `Intl`
 * needs 40 ms to name a weekday for the first time.
 */
function localDate(now: number): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const date = new Date(now);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const ahead = -date.getTimezoneOffset();
  const hours = `${two(Math.floor(Math.abs(ahead) / 60))}:${two(Math.abs(ahead) % 60)}`;
  return `${day} (${weekdays[date.getDay()]}), UTC${ahead < 0 ? "-" : "+"}${hours}`;
}
