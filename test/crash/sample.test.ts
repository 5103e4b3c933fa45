import assert from "node:assert/strict";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { judge } from "./judge.ts";
import { goOn, killAndResume, runUnkilled, whatStays } from "./kill-and-resume.ts";
import { inLanes } from "./lanes.ts";
import { readJournals } from "./journal.ts";
import { observe } from "./observe.ts";
import { scenario } from "./scenario.ts";
import { crashProblems } from "./table.ts";
import { openWorkplace, removeCache } from "./workplace.ts";

after(removeCache);
const unkilled = await runUnkilled(scenario);

/** One of each kind; `npm run crash` kills at all of them. */
const sample = [
  "session.before_rename",
  "journal.after_write#1",
  "fact.input.received",
  "model.streaming#3",
  "fact.tool.finished#2",
  "write.before_rename",
  "edit.after_rename",
  "fact.tool.started#9",
  "tool.after_run#10",
  "model.before_response#5",
  "fact.permission.decided#12",
  "fact.response.received#10",
];

test("R74 R79 R80 R83 R86 a run killed at any kind of point ends as if it had not been, or says what it cannot know", async () => {
  const reports = await inLanes(sample, 2, (point) =>
    killAndResume(unkilled, scenario, () => [{ at: "point", point }]),
  );
  const named = reports.map((report, index) => ({ name: sample[index] ?? "", report }));
  assert.deepEqual(crashProblems(named), []);
  assert.deepEqual(
    named.filter(({ report }) => report.kills !== 1).map(({ name }) => name),
    [],
  );
});

test("R85 a line that was half written when the power went is cut off, and the rest goes on", async () => {
  await using place = await openWorkplace(scenario);
  const killed = await goOn(place, { at: "point", point: "journal.after_write#9" });
  assert.equal(killed.signal, "SIGKILL");
  const path = join(readJournals(place.home)[0]?.folder ?? "", "journal.jsonl");
  // Not synced yet: any part of the last line may be lost.
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const last = Buffer.byteLength(lines.at(-1) ?? "");
  truncateSync(path, readFileSync(path).length - Math.ceil(last / 2) - 1);
  const resumed = await goOn(place, null);
  const verdict = judge(
    {
      requests: place.server.requests,
      points: place.pointsPassed(),
      seen: observe(place),
      lives: [killed, resumed],
      processes: await whatStays(place),
      unannounced: [],
    },
    unkilled,
  );
  assert.deepEqual(verdict.problems, []);
  assert.match(resumed.stderr, /journal was damaged/);
});
