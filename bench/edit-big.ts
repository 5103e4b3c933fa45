// `node bench/edit-big.ts FOLDER`: edits a file of one line of 5 MB and one of 200,000 lines as a session does, plan and run,
// its old bytes kept as a blob. Prints the milliseconds of each time as JSON. FOLDER is empty and stays.

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { jsonlStore } from "#adapters/stores";
import { systemClock } from "#adapters/system";
import { builtInTools } from "#adapters/tools";
import { callId, requestId, sessionId, type Hash, type JsonObject } from "#core";
import type { Tool } from "#runtime";

const times = 5;

const [folder = ""] = process.argv.slice(2);
mkdirSync(join(folder, "work"), { recursive: true });
const cwd = realpathSync(join(folder, "work"));
const wide = `${"x,".repeat(1_250_000)}KEY${",y".repeat(1_250_000)}`;
const long = `${"some line of text\n".repeat(100_000)}KEY\n${"another line of text\n".repeat(99_999)}`;
writeFileSync(join(cwd, "wide"), wide);
writeFileSync(join(cwd, "long"), long);

const clock = systemClock();
const store = jsonlStore({ home: join(folder, "home"), clock });
const journal = await store.create({ id: sessionId("01BENCH"), cwd });
const env = {
  cwd,
  roots: [cwd],
  runsDir: join(folder, "runs"),
  clock,
  putBlob: (bytes: Uint8Array) => journal.putBlob(bytes),
  getBlob: (hash: Hash) => journal.getBlob(hash),
  doc: () => undefined,
  isHidden: () => false,
};
// A tool of which only its own `parse` makes the input.
const edit = builtInTools().find(({ name }) => name === "edit") as unknown as Tool<unknown>;

async function editMs(input: JsonObject, index: number): Promise<number> {
  const call = { ...env, call: callId(requestId(1), index), attempt: 1 };
  const startedMs = performance.now();
  const parsed = edit.parse(input);
  const judged = edit.need(parsed, env);
  const intent = (await edit.plan?.(parsed, call)) ?? null;
  const end = await edit.run(parsed, {
    ...call,
    intent,
    judged,
    signal: new AbortController().signal,
    timeoutMs: 120_000,
    progress: () => {},
  });
  const tookMs = performance.now() - startedMs;
  if (end.outcome !== "ok") throw new Error(JSON.stringify(end.content));
  return tookMs;
}

const figures: Record<string, number[]> = {};
for (const path of ["wide", "long"]) {
  const list: number[] = [];
  for (let time = 0; time < times; time++) {
    const [from, to] = time % 2 === 0 ? ["KEY", "key"] : ["key", "KEY"];
    list.push(await editMs({ path, old_text: from, new_text: to }, list.length));
  }
  figures[path] = list;
}
await journal.close();
console.log(JSON.stringify(figures));
