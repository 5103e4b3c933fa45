import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fixturesFolder } from "./fixtures.ts";
import { play, stall } from "./streams/play.ts";
import { recordingsIn } from "./streams/recording.ts";
import { brokenRuns, sameRuns } from "./streams/transforms.ts";
import { wires } from "./streams/wires.ts";

const folder = fixturesFolder();
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;
const { recordings, unusable } =
  folder === null ? { recordings: [], unusable: [] } : recordingsIn(join(folder, "streams"));
const fewest = 13;

test("every file of the recordings can be used", { skip }, () => assert.deepEqual(unusable, []));

for (const wire of wires) {
  const own = recordings.filter((recording) => recording.wire === wire);
  describe(`${wire.name} streams from the field`, { skip }, () => {
    test("there are as many as there should be, all of them judged", () => {
      assert.ok(own.length >= fewest && own.every(({ expectation }) => expectation !== null));
    });
    for (const recording of own) {
      const { name } = recording;
      test(`${name}: every transform gives what the fixture says [P01, P07, P11]`, () =>
        play(wire, sameRuns(recording)));
      test(`${name}: cut anywhere it is truncated, and nothing runs [P14]`, () =>
        play(wire, brokenRuns(recording)));
      test(`${name}: silence in the middle is a stall, and an interrupt ends it at once [I04]`, () =>
        stall(recording));
    }
  });
}
