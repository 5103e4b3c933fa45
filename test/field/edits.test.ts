import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { workbench } from "../adapters/tools/workbench.ts";
import { caseFiles } from "./edits/cases.ts";
import { exceptions } from "./edits/exceptions.ts";
import { playCase } from "./edits/play.ts";
import { fixturesFolder } from "./fixtures.ts";

const folder = fixturesFolder();
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;

const files = folder === null ? [] : caseFiles(join(folder, "edits"));

const titles: Readonly<Record<string, string>> = {
  "files.json": "[E13] [E14] links, modes, folders and missing files",
  "multi.json": "several edits of one file are applied together or not at all",
  "real-edits.json": "real edits of real models give the very same files",
  "replace.json": "[E01] [E02] [E04] [E07] [E23] single edits come out right",
  "v4a-patch.json": "[E10] patches in the form of apply_patch are applied as a whole or not at all",
};

/** Ids of the cases that came out wrong, with what was wrong. */
async function failures(name: string): Promise<Readonly<Record<string, string>>> {
  const wrong: Record<string, string> = {};
  for (const one of files.find((file) => file.name === name)?.cases ?? []) {
    const played = await playCase(one, workbench);
    if (played.wrong !== null) wrong[one.id] = played.wrong;
  }
  return wrong;
}

describe("edits nobody here wrote", { skip }, () => {
  test("all 132 cases are there", () => {
    const counts = Object.fromEntries(files.map(({ name, cases }) => [name, cases.length]));
    assert.deepEqual(counts, {
      "files.json": 16,
      "multi.json": 7,
      "real-edits.json": 24,
      "replace.json": 68,
      "v4a-patch.json": 17,
    });
  });

  for (const [name, title] of Object.entries(titles)) {
    test(title, async () => {
      const wrong = Object.entries(await failures(name));
      assert.deepEqual(
        wrong.filter(([id]) => !Object.hasOwn(exceptions, id)),
        [],
      );
    });
  }

  test("[E14] the exceptions are still exceptions", async () => {
    assert.deepEqual(Object.keys(await failures("files.json")), Object.keys(exceptions));
  });
});
