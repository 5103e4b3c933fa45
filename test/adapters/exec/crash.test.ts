import assert from "node:assert/strict";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import {
  attachRun,
  callMarker,
  endOrphans,
  endRun,
  forbidRun,
  inspectRun,
  type RunSpec,
} from "#adapters/exec";

import {
  ended,
  goneWithin,
  hasOutput,
  isThere,
  killed,
  never,
  processesWith,
  run,
  specOf,
  startAgent,
  supervisorOf,
} from "./fixture.ts";

const attached = (spec: RunSpec) => attachRun(spec.runDir, { signal: never() });

describe("whatever is killed", { concurrency: 4 }, () => {
  test("[B04] when the agent is killed the command ends, which is recorded with its output", async () => {
    const spec = specOf("echo before; touch {id}.up; sleep 60 | sleep 60; echo after");
    const agent = startAgent([spec]);
    await isThere(join(spec.cwd, `${spec.id}.up`));

    await killed(agent);

    const { exitCode, cause, output, leftRunning } = ended(await attached(spec));
    assert.deepEqual(
      [exitCode, cause, output.head, leftRunning],
      [143, "agent_died", "before\n", false],
    );
    assert.deepEqual(await goneWithin(5_000, spec.id), []);
  });

  test("output that was lost with its copier is said to be missing, though the end is known", async () => {
    const spec = specOf(
      "echo seen; touch {id}.up; until [ -e {id}.go ]; do sleep 0.01; done; echo lost",
    );
    const agent = startAgent([spec]);
    await hasOutput(spec);
    const copiers = processesWith(join(spec.runDir, "out"));
    for (const pid of copiers) process.kill(pid, "SIGSTOP");
    writeFileSync(join(spec.cwd, `${spec.id}.go`), "");
    await isThere(join(spec.runDir, "end"));

    for (const pid of copiers) process.kill(pid, "SIGKILL");
    await killed(agent);
    await goneWithin(5_000, spec.id);

    assert.equal(copiers.length, 1);
    const { exitCode, cause, output, outputIsWhole } = ended(await inspectRun(spec.runDir));
    assert.deepEqual([exitCode, cause, output.head, outputIsWhole], [0, "exit", "seen\n", false]);
  });

  test("a supervisor that was stopped does not hold up the next process: it is made to go on", async () => {
    const spec = specOf("echo before; touch {id}.up; exec sleep 60");
    const agent = startAgent([spec]);
    await isThere(join(spec.cwd, `${spec.id}.up`));
    process.kill(-supervisorOf(spec), "SIGSTOP");
    await killed(agent);
    assert.equal((await inspectRun(spec.runDir)).at, "running");

    const startedMs = performance.now();
    const { cause, output } = ended(await attached(spec));

    assert.ok(performance.now() - startedMs < 5_000);
    assert.deepEqual([cause, output.head], ["agent_died", "before\n"]);
    assert.deepEqual(await goneWithin(5_000, spec.id), []);
  });

  test("a command whose agent and whole supervisor were killed is ended by the next program of any session", async (context) => {
    if (process.platform !== "linux") return context.skip("only /proc tells");
    const [orphan, other] = [
      specOf("touch {id}.up; setsid -f sleep 61; exec sleep 60"),
      specOf("x"),
    ];
    const spec = { ...orphan, marker: callMarker(orphan.runDir) };
    const living = { ...specOf("touch {id}.up; exec sleep 60"), marker: callMarker(other.runDir) };
    const [agent, livingAgent] = [startAgent([spec]), startAgent([living])];
    await isThere(join(spec.cwd, `${spec.id}.up`));
    await isThere(join(living.cwd, `${living.id}.up`));
    const supervisor = processesWith(spec.runDir).filter((pid) => pid !== agent.pid);
    agent.kill("SIGSTOP");
    for (const pid of supervisor) process.kill(pid, "SIGKILL");
    await killed(agent);
    assert.notDeepEqual(processesWith(spec.marker), []);

    assert.ok((await endOrphans({ signal: never(), firstLookMs: 0 })) >= 1);

    assert.deepEqual(await goneWithin(5_000, spec.marker), []);
    assert.equal((await inspectRun(spec.runDir)).at, "lost");
    assert.equal((await inspectRun(living.runDir)).at, "running");
    await killed(livingAgent);
    assert.deepEqual(await goneWithin(5_000, living.id), []);
  });

  for (const afterMs of [0, 2, 5, 10, 20, 40]) {
    test(`the agent is killed ${afterMs} ms after its run has a folder`, async () => {
      const spec = specOf("echo x >> {id}.txt; exec sleep 60");
      const agent = startAgent([spec]);
      await isThere(spec.runDir);
      await delay(afterMs);

      await killed(agent);
      await goneWithin(5_000, spec.id);
      const state = await inspectRun(spec.runDir);

      assert.match(state.at === "ended" ? state.end.cause : state.at, /^(unclaimed|agent_died)$/);
      assert.deepEqual(processesWith(spec.id), []);
    });
  }

  test("a run started again after a crash is not executed a second time", async () => {
    const spec = specOf("echo x >> {id}.txt; touch {id}.up; sleep 60");
    const agent = startAgent([spec]);
    await isThere(join(spec.cwd, `${spec.id}.up`));
    await killed(agent);

    const again = await run(spec);

    assert.equal(again.at === "not_started" && again.reason, "claimed");
    assert.equal(ended(await attached(spec)).cause, "agent_died");
    assert.equal(readFileSync(join(spec.cwd, `${spec.id}.txt`), "utf8"), "x\n");
  });

  test("what a command left running ends when the agent ends", async () => {
    const spec = specOf("setsid sleep 60 >/dev/null 2>&1 & sleep 60 & echo done");

    const agent = startAgent([spec]);
    await new Promise((resolve) => agent.once("exit", resolve));

    assert.deepEqual(await goneWithin(5_000, spec.id), []);
    assert.equal(ended(await attached(spec)).cause, "exit");
  });

  test("when the supervisor is killed the command dies with it and its end is unknown", async () => {
    const spec = specOf("echo before; setsid sleep 60 & sleep 60");
    const result = run(spec);
    await hasOutput(spec);

    process.kill(supervisorOf(spec), "SIGKILL");

    const { at, output } = await result.then((one) => ({ output: null, ...one }));
    assert.deepEqual([at, output?.head], ["lost", "before\n"]);
    assert.deepEqual(processesWith(spec.id), []);
    assert.equal((await inspectRun(spec.runDir)).at, "lost");
  });

  test("the same when all of the supervisor is killed", async () => {
    const spec = specOf("echo before; setsid sleep 60 & sleep 60");
    const result = run(spec);
    await hasOutput(spec);

    process.kill(-supervisorOf(spec), "SIGKILL");

    const { at, output } = await result.then((one) => ({ output: null, ...one }));
    assert.deepEqual([at, output?.head], ["lost", "before\n"]);
    assert.deepEqual(processesWith(spec.id), []);
  });

  test("a command that kills its own supervisor is lost and dead", async () => {
    const spec = specOf("kill -9 0; sleep 60");

    const result = await run(spec);

    assert.equal(result.at, "lost");
    assert.deepEqual(processesWith(spec.id), []);
  });

  test("agent and supervisor killed together: the next process ends what is left and says lost", async () => {
    const spec = specOf("echo before; setsid sleep 60 & sleep 60");
    const agent = startAgent([spec]);
    await hasOutput(spec);
    process.kill(-supervisorOf(spec), "SIGKILL");
    agent.kill("SIGKILL");

    const state = await attached(spec);

    assert.equal(state.at === "lost" && state.output.head, "before\n");
    assert.deepEqual(processesWith(spec.id), []);
  });

  test("30 hostile trees leave nobody behind when their agent is killed", async () => {
    const leaf = "exec -a {id} sleep 60";
    const trees = [
      `(${leaf})`,
      `(${leaf}) & (${leaf}) & wait`,
      `setsid bash -c '${leaf}' & wait`,
      `setsid bash -c 'setsid bash -c "${leaf}" & ${leaf}' & wait`,
      `trap '' TERM HUP INT; (${leaf}); (${leaf})`,
      `trap '' TERM; setsid bash -c 'trap "" TERM; (${leaf}); ${leaf}' & (${leaf}); (${leaf})`,
      `nohup bash -c '${leaf}' >/dev/null 2>&1 & (${leaf})`,
      `set -m; (${leaf}) & (${leaf}) & wait`,
      `timeout 60 bash -c '${leaf}'`,
      `(kill -STOP $BASHPID; ${leaf}) & (${leaf})`,
    ];
    const specs = [...trees, ...trees, ...trees].map((tree) => specOf(tree));
    const agent = startAgent(specs);
    await Promise.all(specs.map((spec) => isThere(join(spec.runDir, "out"))));
    await delay(500);

    await killed(agent);

    const left = await Promise.all(specs.map((spec) => goneWithin(5_000, spec.id)));
    assert.deepEqual(left.flat(), []);
    const states = await Promise.all(specs.map((spec) => inspectRun(spec.runDir)));
    assert.deepEqual([...new Set(states.map((state) => ended(state).cause))], ["agent_died"]);
  });
});

describe("a run folder", () => {
  test("that nobody claimed says so, and forbidding it is final", async () => {
    const spec = specOf("touch {id}.txt");

    const before = await inspectRun(spec.runDir);
    const forbidden = [await forbidRun(spec.runDir), await forbidRun(spec.runDir)];
    const result = await run(spec);

    assert.deepEqual(before, { at: "unclaimed" });
    assert.deepEqual(forbidden, [true, false]);
    assert.equal(result.at === "not_started" && result.reason, "claimed");
  });

  test("without a claim proves nothing after the machine went down", async () => {
    const { runDir } = specOf("true");

    const state = await inspectRun(runDir, { startedInBoot: "a", currentBoot: "b" });

    assert.equal(state.at === "lost" && state.reason, "rebooted");
  });

  test("says later what the starter was told", async () => {
    const spec = specOf("echo out; exit 3");

    const end = ended(await run(spec));

    const later = ended(await inspectRun(spec.runDir));
    assert.deepEqual({ ...later, durationMs: 0 }, { ...end, durationMs: 0 });
  });

  test("whose end is not written to its last word has no end", async () => {
    const { runDir } = specOf("true");
    mkdirSync(runDir, { recursive: true });
    writeFileSync(join(runDir, "claim"), "999999999 marker_0 claim\n");
    writeFileSync(join(runDir, "end"), "exit 0");

    const state = await inspectRun(runDir);

    assert.equal(state.at, "lost");
  });

  test("of a run that goes on says running; attaching waits, and abort ends it", async () => {
    const spec = specOf("touch {id}.up; sleep 60");
    const agent = startAgent([spec]);
    await isThere(join(spec.cwd, `${spec.id}.up`));

    const state = await inspectRun(spec.runDir);
    const end = ended(await attachRun(spec.runDir, { signal: AbortSignal.timeout(100) }));

    assert.deepEqual(state, { at: "running", supervisorPid: supervisorOf(spec) });
    assert.equal(end.cause, "cancelled");
    assert.deepEqual(await goneWithin(5_000, spec.marker), []);
    await killed(agent);
    assert.equal(await endRun(spec.runDir), 0);
  });
});
