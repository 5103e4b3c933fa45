import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startSession } from "#runtime";
import { builtInTools } from "#adapters/tools";
import { answer, call, calls, prompt, rig } from "../../runtime/rig.ts";
import { workbench } from "./workbench.ts";

/** Processes that run in a folder. */
const runningIn = (folder: string): readonly string[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`PWD=${folder}`);
      } catch {
        // It has ended, or belongs to somebody else.
        return false;
      }
    });

test(
  "R109 a hanging command ends after 300 s of the session's clock, nothing of it is left, its output is kept",
  { skip: process.platform === "linux" ? false : "looks into /proc" },
  async () => {
    const bench = workbench();
    const made = await rig({
      turns: [
        calls([call("bash", { command: "echo partial; sleep 700 & touch begun; sleep 700" })]),
        answer("done"),
      ],
      tools: builtInTools(),
    });
    const { cwd, roots, runsDir } = bench.env;
    const session = await startSession({ ...made.parts, cwd, roots, runsDir });
    await session.send(prompt("go"));
    for (let look = 0; look < 1000 && !existsSync(bench.path("begun")); look += 1) await delay(10);
    await made.clock.advance(299_000);
    assert.equal(made.requests.length, 1);
    await made.clock.advance(1_000);
    const { state } = await session.settled();
    assert.equal(state.phase.at, "stopped");
    const result = JSON.stringify(made.requests[1]?.messages.at(-1));
    assert.match(result, /"partial\\n\[the time was up after/);
    // The supervisor itself stays a tenth of a second longer.
    for (let look = 0; look < 200 && runningIn(bench.cwd).length > 0; look += 1) await delay(10);
    assert.deepEqual(runningIn(bench.cwd), []);
    await session.close();
  },
);
