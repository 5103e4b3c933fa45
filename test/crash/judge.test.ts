import assert from "node:assert/strict";
import { after, test } from "node:test";

import { judge, type Killed } from "./judge.ts";
import { killAndResume, runUnkilled } from "./kill-and-resume.ts";
import { threeTurns } from "./scenario.ts";
import type { Observation, SeenCall } from "./observe.ts";
import { removeCache } from "./workplace.ts";

after(removeCache);
const unkilled = await runUnkilled(threeTurns);
const { killed, problems: none } = await killAndResume(unkilled, threeTurns, () => []);

const seeing = (seen: Partial<Observation>): Killed => ({
  ...killed,
  seen: { ...killed.seen, ...seen },
});
const withFirstCall = (call: Partial<SeenCall>): Killed =>
  seeing({
    calls: killed.seen.calls.map((one, index) => (index === 0 ? { ...one, ...call } : one)),
  });
const cutOff = { isError: true, text: "one begins" };

const faults: readonly (readonly [title: string, Killed, RegExp])[] = [
  ["a command that ran twice", seeing({ effects: ["one", "one", "two"] }), /ran 2 times/],
  ["a command that is done and left nothing", seeing({ effects: ["one"] }), /left nothing/],
  ["an effect nobody asked for", seeing({ effects: ["one", "two", "x"] }), /something wrote "x"/],
  ["another file", seeing({ files: { "a.txt": "a" } }), /a\.txt has other content/],
  ["a word lost from the conversation", seeing({ talk: killed.seen.talk.slice(1) }), /message 0/],
  ["no journal", seeing({ journal: null }), /no journal/],
  ["another result", withFirstCall({ result: { isError: false, text: "?" } }), /gave \?/],
  ["a call without an end", withFirstCall({ fate: "open" }), /no recorded end/],
  ["a call not run for no reason", withFirstCall({ fate: "never_started" }), /was not run/],
  [
    "a file tool that lost its output",
    withFirstCall({ tool: "read", result: { isError: false, text: "[it may be missing]" } }),
    /gave/,
  ],
  [
    "partial output that is lost",
    withFirstCall({ fate: "interrupted", result: { isError: true, text: "" } }),
    /lost its partial output/,
  ],
  [
    "a call cut off that nobody was told of",
    { ...withFirstCall({ fate: "interrupted", result: cutOff }), lives: [] },
    /nobody was told/,
  ],
  ["a process that stays", { ...killed, processes: ["1 sleep"] }, /still runs/],
  ["an effect before its start", { ...killed, unannounced: ["one"] }, /before its start/],
  ["needless requests", { ...killed, lives: [] }, /requests instead of at most/],
];

test("a run that nobody disturbed is judged the same", () => {
  assert.deepEqual(none, []);
});

for (const [title, disturbed, problem] of faults) {
  test(`the judge of the crash tests sees ${title}`, () => {
    const verdict = judge(disturbed, unkilled);
    assert.equal(verdict.outcome, "wrong");
    assert.match(verdict.problems.join("\n"), problem);
  });
}
