// Runs one call in a process of its own that kills itself (SIGKILL) at a named point: see crash.test.ts.
// On stdin: JSON of { tool, input, cwd, runsDir, docs, point, time }: the how many times it is there, 1 by default. The intent is printed before the run, as a journal
// would hold it.

import { readFileSync, writeSync } from "node:fs";
import { builtInTools } from "#adapters/tools";
import { callId, hash, requestId } from "#core";
import type { Tool } from "#runtime";

const { tool, input, cwd, runsDir, docs, point, time = 1 } = JSON.parse(readFileSync(0, "utf8"));
let passed = 0;
const tools = builtInTools({
  crash: (name) => {
    if (name === point) passed += 1;
    if (passed === time) process.kill(process.pid, "SIGKILL");
  },
});
const chosen = tools.find(({ name }) => name === tool) as unknown as Tool<unknown>;
const env = {
  cwd,
  roots: [cwd],
  runsDir,
  call: callId(requestId(1), 0),
  attempt: 1,
  clock: { now: () => 0, monotonicMs: () => 0, sleep: async () => {} },
  putBlob: async () => hash("0".repeat(64)),
  getBlob: async () => new Uint8Array(),
  doc: (name: string) => docs[name],
};
const parsed = chosen.parse(input);
const intent = (await chosen.plan?.(parsed, env)) ?? null;
writeSync(1, JSON.stringify(intent));
await chosen.run(parsed, {
  ...env,
  intent,
  judged: chosen.need(parsed, env),
  signal: new AbortController().signal,
  timeoutMs: 120_000,
  isHidden: () => false,
  progress: () => {},
});
