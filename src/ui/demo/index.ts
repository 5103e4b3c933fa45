import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { startScriptedServer } from "#adapters/models/scripted";
import type { Start } from "../starting-point.ts";
import { type AgentEnd, runAgent, scriptedModel } from "./agent.ts";
import { checkOutcome } from "./checks.ts";
import { ownCommand } from "./own-command.ts";
import { type Screen, screenFor } from "./screen.ts";
import { type Task, tasksIn } from "./tasks.ts";

/**
 * `pawl demo`: three tasks with real tools and a scripted model, and a fourth in the middle of which the agent is killed
 * and resumed. @returns the exit code, 0 only when what the tasks left behind is right
 */
export async function demo(start: Start): Promise<number> {
  const { demo: words } = start.terminal.words;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-demo-")));
  const home = join(root, "home");
  const tasks = tasksIn(words.tasks);
  const screen = screenFor(start.terminal);
  screen.heading(words.title);
  const ends: AgentEnd[] = [];
  for (const [index, task] of tasks.entries()) {
    await using server = await startScriptedServer({ turns: task.turns });
    if (index === 0) screen.text(`${words.intro(server.url)}\n${words.folder(root)}`);
    const { title, prompt } = words.tasks[task.name];
    screen.heading(words.task(index + 1, tasks.length, title));
    screen.prompt(prompt);
    const cwd = prepare(root, task);
    const stage: Stage = { start, screen, cwd, home, url: server.url };
    ends.push(
      ...(task.name === "crash" ? await killAndGoOn(task, stage) : [await run(task, stage)]),
    );
  }
  const checks = checkOutcome({ folderOf: (name) => join(root, name), ends });
  screen.heading(words.checksTitle);
  for (const { name, holds } of checks) screen.check(words.checks[name], holds);
  const allHold = checks.every((check) => check.holds);
  screen.text(allHold ? words.done : words.failed);
  const pawl = ownCommand(process.argv[1] ?? "", process.env["PATH"] ?? "");
  screen.text(words.next(home, join(root, "crash"), pawl));
  await start.terminal.out.drained();
  return allHold ? 0 : 1;
}

interface Stage {
  readonly start: Start;
  readonly screen: Screen;
  readonly cwd: string;
  readonly home: string;
  readonly url: string;
}

function prepare(root: string, task: Task): string {
  const cwd = join(root, task.name);
  for (const [path, content] of Object.entries(task.files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  return cwd;
}

const run = (task: Task, stage: Stage): Promise<AgentEnd> =>
  agent(stage, [
    ...flagsOf(task, stage),
    "--",
    stage.start.terminal.words.demo.tasks[task.name].prompt,
  ]);

/** Kills the agent while its second command runs, then opens the session again. */
async function killAndGoOn(task: Task, stage: Stage): Promise<readonly AgentEnd[]> {
  const { demo: words } = stage.start.terminal.words;
  const { prompt } = words.tasks[task.name];
  const log = join(stage.cwd, "sent.log");
  const sent = (): string => (existsSync(log) ? readFileSync(log, "utf8").trim() : "");
  const killed = await agent(stage, [...flagsOf(task, stage), "--", prompt], () =>
    sent().includes("invoice 2"),
  );
  stage.screen.alarm(killed.signal === "SIGKILL" ? words.killed(killed.pid) : words.notKilled);
  stage.screen.text(`${words.left(sent().replaceAll("\n", ", "))}\n${words.resuming}`);
  return [killed, await agent(stage, [...flagsOf(task, stage), "-c"])];
}

function flagsOf(task: Task, { start }: Stage): readonly string[] {
  const { language } = start.settings;
  return [
    ...task.allow.flatMap((rule) => ["--allow", rule]),
    // The notice about a missing sandbox is for folders that matter.
    "--sandbox",
    "off",
    ...(language === null ? [] : ["--lang", language]),
  ];
}

function agent(
  { start, screen, cwd, home, url }: Stage,
  args: readonly string[],
  killWhen?: () => boolean,
): Promise<AgentEnd> {
  const expected = start.terminal.words.model.unknown(scriptedModel);
  return runAgent({
    args,
    cwd,
    home,
    url,
    // That nobody knows the price of a scripted model is true, and no news.
    onLine: (line, from) => (line.includes(expected) ? undefined : screen.agent(line, from)),
    ...(killWhen === undefined ? {} : { killWhen }),
  });
}
