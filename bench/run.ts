import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";
import { bytesPerTurn } from "./journal-growth.ts";
import type { ModelServer } from "./model-server.ts";
import { replyStream, type WantedCall } from "./replies.ts";
import type { Workplace } from "./workplace.ts";

export type Subject = "floor" | "pawl";

/** What a subject is asked to do: `turns` model replies, all but the last with calls. */
export interface Task {
  readonly turns: number;
  /** Goes on with the session under this home; a new one under a fresh home when absent. */
  readonly resume?: string;
  calls(turn: number): readonly WantedCall[];
}

/** What one run of one subject showed; times in milliseconds. */
export interface Run {
  /** Where Pawl kept its session and its compile cache. */
  readonly home: string;
  /** From the start of the process to its first request. */
  readonly startMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
  /** From the end of reply n to the head of the next request, by n from 0. */
  readonly gapsMs: readonly number[];
  readonly firstBodyBytes: number;
  /** Journal bytes of turn n, by n from 0; empty for the floor. */
  readonly journalBytes: readonly number[];
}

export interface Bench {
  readonly server: ModelServer;
  readonly workplace: Workplace;
}

export async function run({ server, workplace }: Bench, who: Subject, task: Task): Promise<Run> {
  const talk = server.converse((turn) =>
    replyStream(turn, turn < task.turns - 1 ? task.calls(turn) : []),
  );
  const home = task.resume ?? workplace.newHome();
  const which = task.resume === undefined ? [] : ["--continue"];
  const { args, env } = pawlRun(talk.baseUrl, { home, which });
  const child = await runNode({
    args: who === "floor" ? floorArgs(workplace, talk.baseUrl) : [program, ...args],
    cwd: workplace.cwd,
    env,
    usageFile: workplace.usageFile,
  });
  const { exchanges } = talk;
  const [first] = exchanges;
  if (first === undefined || exchanges.length !== task.turns) {
    throw new Error(`${who} sent ${exchanges.length} requests, not ${task.turns}`);
  }
  return {
    home,
    startMs: first.beganMs - child.startedMs,
    wallMs: child.wallMs,
    cpuMs: child.cpuMs,
    peakBytes: child.peakBytes,
    gapsMs: exchanges
      .slice(1)
      .map((next, turn) => next.beganMs - (exchanges[turn]?.repliedMs ?? Number.NaN)),
    firstBodyBytes: first.bodyBytes,
    journalBytes: who === "floor" ? [] : bytesPerTurn(home),
  };
}

const program = join(ROOT, "dist", "bin", "pawl.cjs");
const prompt = "Look at the files one by one and say what is in them.";

const floorArgs = ({ floorFile }: Workplace, baseUrl: string): readonly string[] => [
  floorFile,
  baseUrl,
  prompt,
];

/** The program's own arguments and environment. */
export function pawlRun(
  baseUrl: string,
  where: { readonly home: string; readonly which?: readonly string[] },
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  return {
    args: [
      "--print",
      ...(where.which ?? []),
      "--model=anthropic/claude-sonnet-4-5",
      `--base-url=${baseUrl}`,
      "--max-turns=100000",
      "--permission-mode=bypass",
      prompt,
    ],
    env: { PAWL_HOME: where.home, ANTHROPIC_API_KEY: "none" },
  };
}
