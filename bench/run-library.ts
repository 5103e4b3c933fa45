// A measured process: one prompt run to its end by the library, over the wire, without a command line.

import { jsonlStore } from "#adapters/stores";
import { systemClock, systemEntropy } from "#adapters/system";
import { text } from "#core";
import { startSession } from "#runtime";
import { sessionParts, wireClient } from "./library.ts";

const [baseUrl = "", home = "", prompt = ""] = process.argv.slice(2);
const store = jsonlStore({ home, clock: systemClock() });
const journal = await store.create({
  id: systemEntropy(systemClock()).sessionId(),
  cwd: process.cwd(),
});
const session = await startSession(sessionParts(journal, wireClient(baseUrl)));
await session.send({ type: "prompt", blocks: [text(prompt)] });
const { state } = await session.settled();
await session.close();
if (state.phase.at !== "stopped" || state.phase.outcome !== "completed") {
  console.error(JSON.stringify(state.phase));
  process.exitCode = 1;
}
