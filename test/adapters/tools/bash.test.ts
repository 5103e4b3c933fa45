import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type JsonObject, type ToolEnd } from "#core";
import { builtInTools } from "#adapters/tools";
import { open, said, start, use, workbench, type Started, type Workbench } from "./workbench.ts";

const found = builtInTools({ keepVariables: ["KEPT_TOKEN"] }).find(({ name }) => name === "bash");
assert.ok(found);
const tool = found;

const run = (command: string, bench: Workbench): Promise<ToolEnd> => use(tool, { command }, bench);

async function begin(input: JsonObject, bench: Workbench): Promise<Started> {
  const started = await start(tool, input, bench);
  assert.ok(typeof started !== "string");
  return started;
}

const answers: readonly (readonly [
  what: string,
  command: string,
  outcome: ToolEnd["outcome"],
  text: string,
])[] = [
  ["output", "echo one; echo two >&2", "ok", "one\ntwo"],
  ["no output", "true", "ok", "[no output]"],
  ["[B08] an exit code", "echo x; exit 3", "error", "x\n[exit code 3]"],
  ["[B08] a signal", "kill -9 $$", "error", "[exit code 137, as after SIGKILL]"],
  ["[B02] stdin is empty", 'cat; read x; echo "<$x>"', "ok", "<>"],
  [
    "[B10] the very bytes",
    "printf '%s' 'a != \"b\" ${x + 1} \\n !'",
    "ok",
    'a != "b" ${x + 1} \\n !',
  ],
  ["Chinese", "echo 你好", "ok", "你好"],
];

test("R108 a command is run and what it printed comes back with how it ended", async () => {
  const bench = workbench();
  const got = [];
  for (const [what, command] of answers) {
    const end = await run(command, bench);
    got.push([what, command, end.outcome, said(end)]);
  }
  assert.deepEqual(got, answers);
});

test("R114 the effect report says which command ran and how it ended", async () => {
  const bench = workbench();
  const [effect] = (await run("exit 4", bench)).effects;
  assert.ok(effect?.type === "process_ran");
  assert.deepEqual(
    { ...effect, durationMs: 0 },
    {
      type: "process_ran",
      command: "exit 4",
      exitCode: 4,
      durationMs: 0,
      changed: [],
    },
  );
});

test("each command starts in the workspace with a clean environment", async () => {
  const bench = workbench();
  process.env["MY_TOKEN"] = "secret";
  process.env["KEPT_TOKEN"] = "kept";
  try {
    await run("cd /; X=1", bench);
    const end = await run('pwd; echo "<$X$MY_TOKEN$KEPT_TOKEN>"', bench);
    assert.equal(said(end), `${bench.cwd}\n<kept>`);
  } finally {
    delete process.env["MY_TOKEN"];
    delete process.env["KEPT_TOKEN"];
  }
});

test("R109 a command that hangs is ended when its time is up, and its output is kept", async () => {
  const bench = workbench();
  const started = await begin(
    { command: "echo begun; sleep 60 & sleep 60", timeout_ms: 300 },
    bench,
  );
  const end = await started.run();
  assert.equal(end.outcome, "timeout");
  assert.match(
    said(end),
    /^begun\n\[the time was up after 0\.\d s: the command was ended with everything/,
  );
  assert.equal(open(tool).timeoutMs({ command: "x" }), 300_000);
});

test("R109 the session's own clock ends a command too", async () => {
  const bench = workbench();
  const stop = new AbortController();
  const started = await begin({ command: "echo begun; sleep 60" }, bench);
  const end = await started.run({
    signal: stop.signal,
    progress: () => stop.abort("timeout"),
  });
  assert.deepEqual([end.outcome, said(end).split("\n")[0]], ["timeout", "begun"]);
});

test("[I05] a cancelled command keeps what it printed, and says that it was cancelled", async () => {
  const bench = workbench();
  const stop = new AbortController();
  const started = await begin(
    { command: "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; done; sleep 60" },
    bench,
  );
  const end = await started.run({
    signal: stop.signal,
    progress: () => stop.abort("interrupt"),
  });
  assert.equal(end.outcome, "interrupted");
  assert.match(said(end), /^1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n\[cancelled by the user after/);
});

test("a command that is cancelled before it began has not run", async () => {
  const bench = workbench();
  const started = await begin({ command: "touch ran" }, bench);
  const end = await started.run({ signal: AbortSignal.abort("interrupt") });
  assert.deepEqual([end.outcome, existsSync(bench.path("ran"))], ["interrupted", false]);
});

test("[B01] a background process does not hold the call, and is said to be left", async () => {
  const bench = workbench();
  const startMs = performance.now();
  const end = await run("sleep 60 & echo done", bench);
  const tookMs = performance.now() - startMs;
  assert.match(said(end), /^done\n\[a process it started in the background is still running/);
  assert.ok(tookMs < 20_000, `${tookMs} ms`);
  const { endRun } = await import("#adapters/exec");
  const [runDir = ""] = readdirSync(bench.env.runsDir);
  await endRun(join(bench.env.runsDir, runDir));
});

test("R51 [B07] [W05] long output keeps its beginning and its end, and says where all of it is", async () => {
  const bench = workbench();
  const end = await run('for i in $(seq 1 20000); do echo "line $i 😀"; done', bench);
  const text = said(end);
  assert.ok(text.length <= 30_000 && text.isWellFormed() && !text.includes("\ufffd"));
  assert.match(text, /^line 1 😀\nline 2 😀\n/);
  assert.match(text, /\nline 20000 😀$/);
  const notice = /\[… output of ([\d.]+ kB), the middle is left out; all of it is in (.*)\]/.exec(
    text,
  );
  assert.equal(readFileSync(notice?.[2] ?? "", "utf8").split("\n").length, 20_001);
});

test("[W05] output of nothing but wide characters fits too", async () => {
  const bench = workbench();
  const end = await run("printf '😀%.0s' $(seq 1 20000)", bench);
  assert.ok(said(end).length <= 30_000 && said(end).isWellFormed());
});

test("[S23] a workspace that was deleted is an error, and nothing is run", async () => {
  const bench = workbench();
  mkdirSync(bench.path("gone"));
  const env = { ...bench.env, cwd: bench.path("gone") };
  rmSync(bench.path("gone"), { recursive: true });
  const end = await use(tool, { command: "echo ran" }, { env });
  assert.equal(end.outcome, "error");
  assert.match(said(end), /was not run/);
});

const refused: readonly (readonly [input: JsonObject, says: RegExp])[] = [
  [{}, /`command` is missing/],
  [{ command: "  " }, /`command` is empty/],
  [{ command: "a\0b" }, /NUL character/],
  [{ command: "x", timeout_ms: 600_001 }, /`timeout_ms` must be a whole number from 1 to 600000/],
  [
    { command: "x", background: true },
    /`background` is for a later version; run the command and wait/,
  ],
  [{ command: "x", needs: ["network"] }, /`needs` is for a later version/],
];

test("R38 wrong arguments are refused with what is right, harmless ones accepted", async () => {
  const wrong = refused.filter(([input, says]) => {
    const answer = open(tool).parse(input);
    return !(typeof answer === "string" && says.test(answer));
  });
  assert.deepEqual(wrong, []);
  assert.deepEqual(open(tool).parse({ command: "x", timeoutMs: 5, background: false, needs: [] }), {
    command: "x",
    timeoutMs: 5,
    background: undefined,
    needs: undefined,
  });
  assert.ok(!JSON.stringify(tool.inputSchema).includes("background"));
});

/** Starts the call in a process of its own, as a session that may die; resolves when the command has printed. */
async function inProcess(command: string, bench: Workbench): Promise<{ kill(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "kill-inside.ts")], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  after(() => child.kill("SIGKILL"));
  child.stdin.end(
    JSON.stringify({
      tool: "bash",
      input: { command },
      point: "never",
      cwd: bench.cwd,
      runsDir: bench.env.runsDir,
    }),
  );
  for (let look = 0; look < 500 && !existsSync(bench.path("begun")); look += 1) await delay(10);
  return {
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("a command whose agent died is found ended, with its partial output", async () => {
  const bench = workbench();
  const process_ = await inProcess("echo partial; touch begun; sleep 60; touch late", bench);
  await process_.kill();
  const started = await begin(
    { command: "echo partial; touch begun; sleep 60; touch late" },
    bench,
  );
  let probe = await started.probe();
  for (let look = 0; look < 200 && probe.verdict === "running"; look += 1) {
    await delay(10);
    probe = await started.probe();
  }
  assert.equal(probe.verdict, "happened");
  assert.equal(probe.end?.outcome, "interrupted");
  assert.match(
    said(probe.end ?? { content: [] }),
    /^partial\n\[ended because the agent died after/,
  );
  // The same run, attached to instead of run again.
  const attached = await started.run();
  assert.match(said(attached), /^partial\n\[ended because the agent died/);
  assert.equal(existsSync(bench.path("late")), false);
});

test("R86 a run that had not begun is forbidden before it is called not happened", async () => {
  const bench = workbench();
  const started = await begin({ command: "touch ran" }, bench);
  const probe = await started.probe();
  assert.equal(probe.verdict, "did_not_happen");
  const end = await started.run();
  assert.equal(end.outcome === "ok", false);
  assert.equal(existsSync(bench.path("ran")), false);
});

test("R82 a run that ended is never run again: the second time it is only reported", async () => {
  const bench = workbench();
  const started = await begin({ command: "echo x >> log; echo ran" }, bench);
  const first = await started.run();
  const probe = await started.probe();
  const again = await started.run();
  assert.deepEqual([said(first), probe.verdict, said(again)], ["ran", "happened", "ran"]);
  assert.equal(bench.text("log"), "x\n");
});

test("a run whose supervisor left no end is undetermined, with the partial output", async () => {
  const bench = workbench();
  const started = await begin({ command: "true" }, bench);
  const { intent } = started;
  assert.ok(intent !== null && typeof intent === "object" && "runDir" in intent);
  const { runDir } = intent;
  assert.ok(typeof runDir === "string");
  mkdirSync(runDir, { recursive: true });
  writeFileSync(join(runDir, "claim"), "999999999 pawl-marker-of-nobody claim\n");
  writeFileSync(join(runDir, "out"), "half of it\n");
  const probe = await started.probe();
  assert.equal(probe.verdict, "undetermined");
  assert.match(
    said(probe.end ?? { content: [] }),
    /^half of it\n\[how the command ended is not known/,
  );
});

test("R86 when a damaged journal gives the number of a run again, another command runs, and the same one is not run twice", async () => {
  const bench = workbench();
  await run("echo one >> marks; echo first", bench);
  // The same folder of runs, with the calls counted from 0 again.
  const anew = { env: { ...bench.env, runsDir: `${bench.env.runsDir}/` } };
  const same = await use(tool, { command: "echo one >> marks; echo first" }, anew);
  assert.match(
    said(same),
    /^first\n\[this is what this command did before.*it was not run again now\]$/,
  );
  const again = { env: { ...bench.env, runsDir: `${bench.env.runsDir}//` } };
  const other = await use(tool, { command: "echo two >> marks; echo second" }, again);
  assert.equal(said(other), "second");
  assert.equal(bench.text("marks"), "one\ntwo\n");
});
