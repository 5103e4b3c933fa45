// A measured process: opens the longest session under a home for writing until it could go on. Prints the milliseconds.

import { jsonlStore } from "#adapters/stores";
import { systemClock } from "#adapters/system";
import { startSession, type ModelClient } from "#runtime";
import { sessionParts } from "./library.ts";

const [home = ""] = process.argv.slice(2);
const model: ModelClient = {
  stream: () => {
    throw new Error("a session that had stopped asks nothing");
  },
};

const store = jsonlStore({ home, clock: systemClock() });
const [info] = (await store.list()).toSorted((a, b) => b.bytes - a.bytes);
if (info === undefined) throw new Error(`no session under ${home}`);
const startedMs = performance.now();
const session = await startSession(sessionParts(await store.open(info.id, "writer"), model));
await session.settled();
const openMs = performance.now() - startedMs;
await session.close();
console.log(openMs);
