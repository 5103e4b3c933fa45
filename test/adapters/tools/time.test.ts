import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { workbench } from "./workbench.ts";

/** Processes that are started again and again compile once. */
const cache = workbench();

const answer = (zone: string): string =>
  execFileSync(
    process.execPath,
    [
      "--input-type=module-typescript",
      "-e",
      `import { builtInTools } from "#adapters/tools"; 
       const tool = builtInTools().find(({ name }) => name === "time");
       const end = await tool.run({}, { clock: { now: () => 1764500000000 } });
       process.stdout.write(end.content[0].text);`,
    ],
    {
      encoding: "utf8",
      env: { ...process.env, TZ: zone, NODE_COMPILE_CACHE: cache.path("") },
    },
  );

test("R108 R132 the time is the session's clock, in the local zone", () => {
  assert.deepEqual(["Asia/Shanghai", "America/New_York", "Australia/Adelaide"].map(answer), [
    "2025-11-30 18:53:20 +08:00 (Asia/Shanghai), Sunday",
    "2025-11-30 05:53:20 -05:00 (America/New_York), Sunday",
    "2025-11-30 21:23:20 +10:30 (Australia/Adelaide), Sunday",
  ]);
});
