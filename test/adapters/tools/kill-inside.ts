// Runs one call in a process of its own that kills itself (SIGKILL) at a named point: see crash.test.ts.
// On stdin: JSON of { tool, input, cwd, runsDir, point }. The intent is printed before the run, as a journal
// would hold it.

import { readFileSync, writeSync } from "node:fs";
import { builtInTools } from "#adapters/tools";
import { start } from "./workbench.ts";
import { fakeClock } from "#testing";
import { hash } from "#core";

const { tool, input, cwd, runsDir, point } = JSON.parse(readFileSync(0, "utf8"));
const tools = builtInTools({
  crash: (name) => {
    if (name === point) process.kill(process.pid, "SIGKILL");
  },
});
const chosen = tools.find(({ name }) => name === tool);
if (chosen === undefined) throw new Error(`no tool ${tool}`);
const env = {
  cwd,
  roots: [cwd],
  runsDir,
  clock: fakeClock(),
  putBlob: async () => hash("0".repeat(64)),
  getBlob: async () => new Uint8Array(),
};
const started = await start(chosen, input, { env });
if (typeof started === "string") throw new Error(started);
writeSync(1, JSON.stringify(started.intent));
await started.run();
