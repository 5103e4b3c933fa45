import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";
import { interleaved, oneReadATurn } from "./interleave.ts";
import { codeLoaded, wiresIn } from "./loaded.ts";
import { atMost, figure, timesFloor, type Line } from "./line.ts";
import type { Profile } from "./profile.ts";
import { replyStream } from "./replies.ts";
import { pawlRun, type Bench } from "./run.ts";
import { median } from "./statistics.ts";
import { wholeLines } from "./whole-lines.ts";

export async function versionLines(
  { workplace }: Bench,
  { startRounds }: Profile,
): Promise<readonly Line[]> {
  const { cwd, emptyFile } = workplace;
  const wall = async (args: readonly string[]): Promise<number> =>
    (await runNode({ args, cwd, env: { PAWL_HOME: cwd }, usageFile: null })).wallMs;
  const floor: number[] = [];
  const pawl: number[] = [];
  for (let round = 0; round < startRounds; round += 1) {
    floor.push(await wall([emptyFile]));
    pawl.push(await wall([join(ROOT, "dist", "bin", "pawl.cjs"), "--version"]));
  }
  return [
    {
      id: "version",
      title: "`--version` (floor: an empty Node)",
      unit: "ms",
      floor: median(floor),
      pawl: median(pawl),
      goal: timesFloor(1.2),
    },
  ];
}

/** Node compiles every file anew, and keeps what it has compiled for the next start. */
export async function firstStartLines(
  bench: Bench,
  { runRounds }: Profile,
): Promise<readonly Line[]> {
  const pair = await interleaved(bench, oneReadATurn(1), runRounds);
  const [first] = pair.pawl;
  if (first !== undefined) bench.workplace.keepCache(first.home);
  const start = figure(pair, (one) => one.startMs);
  const title = "first start ever to first request";
  return [{ id: "first-start", title, unit: "ms", ...start, goal: null }];
}

export async function startLines(bench: Bench, { startRounds }: Profile): Promise<readonly Line[]> {
  const pair = await interleaved(bench, oneReadATurn(1), startRounds);
  const start = figure(pair, (one) => one.startMs);
  const bytes = figure(pair, (one) => one.firstBodyBytes / 1000);
  return [
    { id: "start", title: "start to first request", unit: "ms", ...start, goal: timesFloor(1.75) },
    ...wholeLines(pair, 1),
    { id: "first-body", title: "first request", unit: "kB", ...bytes, goal: atMost(16) },
  ];
}

/** What one turn with one wire loads. */
export async function loadedLines({ server, workplace }: Bench): Promise<readonly Line[]> {
  const { baseUrl } = server.converse((turn) => replyStream(turn, []));
  const { args, env } = pawlRun(baseUrl, { home: workplace.newHome() });
  const code = await codeLoaded({
    args,
    cwd: workplace.cwd,
    env,
    listFile: workplace.usageFile,
  });
  const bytes = code.reduce((sum, file) => sum + Buffer.byteLength(file), 0);
  const plain = { floor: null } as const;
  return [
    {
      id: "loaded-code",
      title: "code loaded by a run of 1 turn",
      unit: "kB",
      pawl: bytes / 1000,
      goal: atMost(850),
      ...plain,
    },
    {
      id: "loaded-wires",
      title: "wires loaded by it (it uses one)",
      unit: "wires",
      pawl: wiresIn(code).length,
      goal: atMost(1),
      ...plain,
    },
  ];
}
