import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Words } from "#i18n";
import type { AgentEnd } from "./agent.ts";
import { type Task, untouchedFile } from "./tasks.ts";

export interface Check {
  readonly name: keyof Words["demo"]["checks"];
  readonly holds: boolean;
}

/** What the tasks left behind. */
export interface Outcome {
  /** Folder of a task. */
  readonly folderOf: (task: Task["name"]) => string;
  /** How the agents ended, by task; of the last task first the killed one, then the one that went on. */
  readonly ends: readonly AgentEnd[];
}

/** Looks at the folders, not at what the agent says about them. */
export function checkOutcome({ folderOf, ends }: Outcome): readonly Check[] {
  const text = (task: Task["name"], path: string): string => contentOf(join(folderOf(task), path));
  const [named, , , killed, resumed] = ends;
  const usesBase = ["tides.py", "ships.py"].every((path) => {
    const code = text("urls", path);
    return code.includes("from config import BASE_URL") && !code.includes("https://");
  });
  const tests = spawnSync(process.execPath, ["--test"], { cwd: folderOf("test"), env: {} });
  const once = "invoice 1\ninvoice 2\ninvoice 3\n";
  const ended = [...ends.slice(0, 3), resumed];
  return [
    { name: "name", holds: named?.answer.includes("harbour-lights") ?? false },
    { name: "urls", holds: usesBase && text("urls", "notes.py") === untouchedFile },
    { name: "test", holds: tests.status === 0 },
    { name: "killed", holds: killed?.signal === "SIGKILL" },
    { name: "once", holds: text("crash", "sent.log") === once },
    { name: "agents", holds: ended.every((end) => end?.code === 0) },
  ];
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // A file that is not there has not what it should have.
    return "";
  }
}
