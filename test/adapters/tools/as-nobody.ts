// Runs calls in a process of its own that is not root: see permissions.test.ts. On stdin: JSON of
// { cwd, calls: [[tool, input], …] }. Prints the ends as JSON.

import { readFileSync, writeSync } from "node:fs";
import { builtInTools } from "#adapters/tools";
import { callId, hash, requestId, type ToolEnd } from "#core";
import type { Tool } from "#runtime";

const { cwd, calls } = JSON.parse(readFileSync(0, "utf8"));
const tools = builtInTools();
const env = {
  cwd,
  roots: [cwd],
  runsDir: `${cwd}/../runs`,
  clock: { now: () => 0, monotonicMs: () => 0, sleep: async () => {} },
  putBlob: async () => hash("0".repeat(64)),
  getBlob: async () => new Uint8Array(),
};
const ends: ToolEnd[] = [];
for (const [index, [name, input]] of calls.entries()) {
  const tool = tools.find((one) => one.name === name) as unknown as Tool<unknown>;
  const call = { ...env, call: callId(requestId(1), index), attempt: 1 };
  const parsed = tool.parse(input);
  ends.push(
    await tool.run(parsed, {
      ...call,
      intent: (await tool.plan?.(parsed, call)) ?? null,
      judged: tool.need(parsed, env),
      signal: new AbortController().signal,
      timeoutMs: 120_000,
      progress: () => {},
    }),
  );
}
writeSync(1, JSON.stringify(ends));
