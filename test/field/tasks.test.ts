import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { parseScript } from "#testing";
import { readJournals } from "../crash/journal.ts";
import { goOn, killAndResume, runUnkilled } from "../crash/kill-and-resume.ts";
import { inLanes } from "../crash/lanes.ts";
import type { Ended } from "../crash/program.ts";
import type { Scenario } from "../crash/scenario.ts";
import { openWorkplace, removeCache, type Workplace } from "../crash/workplace.ts";
import { fixturesFolder, readJson } from "./fixtures.ts";

const fixtures = fixturesFolder();
const folder = fixtures === null ? null : join(fixtures, "tasks");
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;
const names = folder === null ? [] : readdirSync(folder).toSorted();
after(removeCache);

function taskNamed(name: string): Scenario {
  const task = join(folder ?? "", name);
  const { prompt } = readJson(join(task, "task.json")) as { readonly prompt: string };
  return {
    folder: join(task, "workspace"),
    files: {},
    prompt,
    flags: ["--permission-mode", "bypass"],
    turns: parseScript(readJson(join(task, "script.json")), name).turns,
  };
}

/** What the task's own check says about the workspace and the answer; `PASS` or why not. */
function checked(name: string, place: Workplace, { stdout, stderr }: Ended): string {
  const answer = join(place.root, "answer.txt");
  writeFileSync(answer, textOf(stdout));
  const check = join(folder ?? "", name, "check.mjs");
  // The checks run test runners of their own, which must not think that they are part of this one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync(process.execPath, [check, place.cwd, answer], { encoding: "utf8", env });
  const said = `${ran.stdout}${ran.stderr}`.trim();
  return said === "PASS" ? said : `${said}\n${stderr}`;
}

/** The answer of a run, whatever its output format. */
function textOf(stdout: string): string {
  if (!stdout.startsWith("{")) return stdout;
  const result = JSON.parse(stdout) as { readonly text: string };
  return result.text;
}

test("there are ten tasks", { skip }, () => {
  assert.equal(names.length, 10);
});

for (const name of names) {
  test(`${name} passes its check, driven through the built program over the wire and in process`, async () => {
    const task = taskNamed(name);
    const script = join(folder ?? "", name, "script.json");
    await using wired = await openWorkplace(task);
    await using local = await openWorkplace(task);
    const runs = await Promise.all([
      goOn(wired, null),
      local.run(["-p", ...task.flags, "-m", `scripted/${script}`, "--", task.prompt]),
    ]);
    assert.deepEqual(
      runs.map((run) => run.code),
      [0, 0],
      runs.map((run) => run.stderr).join("\n"),
    );
    assert.deepEqual(
      [checked(name, wired, runs[0]), checked(name, local, runs[1])],
      ["PASS", "PASS"],
    );
    assert.deepEqual(
      wired.server.requests.flatMap((request) => request.problems),
      [],
    );
    assert.deepEqual(wired.files(), local.files());
  });
}

const migration = "t10-migrate-records";

test(
  "t10: a write outside the workspace is refused and does not end the run",
  { skip },
  async () => {
    await using place = await openWorkplace(taskNamed(migration));
    const ended = await goOn(place, null);
    assert.equal(ended.code, 0);
    const [journal] = readJournals(place.home);
    const denials = journal?.state.prompt.denials ?? [];
    assert.deepEqual(
      denials.map(({ tool, rule }) => ({ tool, rule })),
      [{ tool: "write", rule: "built-in:outside" }],
    );
  },
);

test(
  "R74 R80 t10 killed after every tool call and resumed gives the same bytes",
  { skip },
  async () => {
    const task = taskNamed(migration);
    const unkilled = await runUnkilled(task);
    const ends = unkilled.points.filter((point) => point === "fact.tool.finished");
    const points = ends.map((point, index) => `${point}#${index + 1}`);
    const reports = await inLanes([...points, "fact.permission.decided#3"], 2, (point) =>
      killAndResume(unkilled, task, () => [{ at: "point", point }]),
    );
    assert.equal(points.length, 4);
    for (const { outcome, problems, kills } of reports) {
      assert.deepEqual({ outcome, problems, kills }, { outcome: "same", problems: [], kills: 1 });
    }
  },
);
