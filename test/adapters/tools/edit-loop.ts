// A session of its own that edits every third line of a file, again and again until each is done: see unseen.test.ts.
// Arguments: the folder of the workbench and which of three sessions this is. Prints the refusals as JSON.

import { writeSync } from "node:fs";
import { builtInTools } from "#adapters/tools";
import { benchIn, said, use } from "./bench.ts";

const [root = "", which = "0"] = process.argv.slice(2);
const bench = benchIn(root);
const session = { env: { ...bench.env, runsDir: `${root}/runs-${which}` } };
const tool = builtInTools().find(({ name }) => name === "edit");
if (tool === undefined) throw new Error("no edit");

const refusals: string[] = [];
for (let line = Number(which); line < 60; line += 3) {
  const change = { path: "f", old_text: `line ${line}.\n`, new_text: `line ${line}. done\n` };
  for (
    let end = await use(tool, change, session);
    end.outcome !== "ok";
    end = await use(tool, change, session)
  ) {
    refusals.push(said(end));
  }
}
writeSync(1, JSON.stringify(refusals));
