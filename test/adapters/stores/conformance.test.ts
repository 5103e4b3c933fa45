import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonlStore, memoryStore } from "#adapters/stores";
import { systemClock } from "#adapters/system";
import { storeConformance } from "#testing";

const clock = systemClock();

storeConformance("memory", async () => ({ store: memoryStore({ clock }) }));

storeConformance("jsonl", async () => {
  const home = await mkdtemp(join(tmpdir(), "pawl-stores-"));
  return {
    store: jsonlStore({ home, clock }),
    dispose: () => rm(home, { recursive: true }),
  };
});
