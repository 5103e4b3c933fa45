import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { desk, jsonLines, type Running } from "./pawl.ts";

const json = ["-p", "--output-format", "json"];
const stream = ["-p", "--output-format", "stream-json", "--include-signals"];
const time = { calls: [{ tool: "time", input: {} }] };

async function resultOf(running: Running): Promise<Readonly<Record<string, unknown>>> {
  const { code, stdout } = await running.ended;
  return { ...jsonLines(stdout).at(-1), code };
}

test("R29 R30 R39 R41 without a limit given it stops by itself after exactly 50 model calls and says so", async () => {
  await using at = await desk(Array.from({ length: 60 }, () => time));
  const result = await resultOf(at.start([...json, "go"], { stdin: "" }));
  assert.deepEqual([result["code"], result["limit"], result["turns"]], [4, "turns", 50]);
  assert.equal(at.server.requests.length, 50);
  assert.match(String(result["text"]), /limit of 50 turns/);
  assert.deepEqual(at.server.requests.at(-1)?.body["tool_choice"], { type: "none" });
});

test("R27 R35 the cost limit stops after the reply that reached it: overshoot is one call", async () => {
  const dear = { ...time, usage: { input: 1_000_000 } };
  await using at = await desk([dear, dear, dear]);
  const result = await resultOf(at.start([...json, "--max-cost", "0.5", "go"], { stdin: "" }));
  assert.deepEqual([result["code"], result["limit"], result["turns"]], [4, "cost", 1]);
  assert.ok(Number(result["cost_usd"]) >= 0.5);
});

test("R28 with turns and cost both reached, turns are reported", async () => {
  const dear = { ...time, usage: { input: 1_000_000 } };
  await using at = await desk([dear, dear]);
  const args = [...json, "--max-cost", "0.5", "--max-turns", "1", "go"];
  const result = await resultOf(at.start(args, { stdin: "" }));
  assert.equal(result["limit"], "turns");
});

test("R33 the wall clock ends a run that hangs, with what had come", async () => {
  await using at = await desk([{ text: "first half ", fault: { type: "stall", events: 4 } }]);
  const result = await resultOf(at.start([...json, "--max-time", "1s", "go"], { stdin: "" }));
  assert.deepEqual([result["code"], result["limit"]], [4, "time"]);
  assert.match(String(result["text"]), /^first half/);
});

const refusals = [
  { title: "R37 401 is not tried again", status: 401 },
  { title: "R37 403 is not tried again", status: 403 },
];

for (const { title, status } of refusals) {
  test(title, async () => {
    await using at = await desk([{ fault: { type: "status", status, times: 9 } }]);
    const result = await resultOf(at.start([...json, "go"], { stdin: "" }));
    assert.deepEqual([result["code"], result["outcome"]], [1, "failed"]);
    assert.equal(at.server.requests.length, 1);
  });
}

test("R37 [L10] an overload is waited for and tried again, and said on stderr meanwhile", async () => {
  await using at = await desk([{ text: "done", fault: { type: "status", status: 529 } }]);
  const { code, stdout, stderr } = await at.run(["-p", "go"]);
  assert.deepEqual([code, stdout], [0, "done\n"]);
  assert.match(stderr, /Next attempt in \d+ s/);
  assert.equal(at.server.requests.length, 2);
});

test("R38 R111 R112 a failing call is told to the model, which goes on", async () => {
  await using at = await desk([
    { calls: [{ tool: "read", input: { path: "no-such.txt" } }] },
    { text: "it is not there" },
  ]);
  const { code, stdout } = await at.run(["-p", "go"]);
  assert.deepEqual([code, stdout], [0, "it is not there\n"]);
  assert.match(JSON.stringify(at.server.requests[1]?.body["messages"]), /"is_error":true/);
});

test("R36 SIGINT while a command runs ends it within seconds, with its output", async () => {
  const command = "echo be$((0))gan; sleep 300";
  await using at = await desk([{ calls: [{ tool: "bash", input: { command } }] }]);
  const running = at.start([...stream, "--allow", "bash", "go"], { stdin: "" });
  await running.until("be0gan");
  const result = await interrupted(running);
  assert.deepEqual([result["code"], result["outcome"]], [130, "interrupted"]);
  assert.match((await running.ended).stdout, /"tool.finished".*be0gan/);
});

test("R36 SIGINT while a permission is awaited ends the run", async () => {
  await using at = await desk([{ calls: [{ tool: "bash", input: { command: "true" } }] }]);
  const running = at.start([...stream, "--input-format", "stream-json"]);
  running.press('{"type":"prompt","text":"go"}\n');
  await running.until('"permission.asked"');
  const result = await interrupted(running);
  assert.deepEqual([result["code"], result["outcome"]], [130, "interrupted"]);
});

test("R36 SIGINT while a retry is waited for ends the run", async () => {
  const wait = { type: "status", status: 529, headers: { "retry-after": "60" } } as const;
  await using at = await desk([{ text: "never", fault: wait }]);
  const running = at.start([...stream, "go"], { stdin: "" });
  await running.until('"request.failed"');
  const result = await interrupted(running);
  assert.deepEqual([result["code"], result["outcome"]], [130, "interrupted"]);
});

/** Ctrl-C; the end must come within five seconds. */
async function interrupted(running: Running): Promise<Readonly<Record<string, unknown>>> {
  const before = performance.now();
  running.child.kill("SIGINT");
  const result = await resultOf(running);
  assert.ok(performance.now() - before < 5_000);
  return result;
}

test("[B04] SIGTERM ends the command's whole tree, exit 143, and the log says how", async () => {
  const mark = `31${process.pid}`;
  const command = `sleep ${mark} & setsid sleep ${mark} & echo be$((0))gan; sleep ${mark}`;
  await using at = await desk([{ calls: [{ tool: "bash", input: { command } }] }]);
  const running = at.start([...stream, "--allow", "bash", "go"], { stdin: "" });
  await running.until("be0gan");
  running.child.kill("SIGTERM");
  const result = await resultOf(running);
  assert.equal(result["code"], 143);
  assert.match((await running.ended).stdout, /"tool.finished".*"outcome":"interrupted"/);
  const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.startsWith(`sleep ${mark}`));
  assert.deepEqual(left, []);
});

test("a second SIGINT leaves at once, and nothing recorded is lost", async () => {
  const command = "trap '' INT TERM; echo be$((0))gan; sleep 300";
  await using at = await desk([
    { calls: [{ tool: "bash", input: { command } }] },
    { text: "gone on" },
  ]);
  const running = at.start([...stream, "--allow", "bash", "go"], { stdin: "" });
  await running.until("be0gan");
  running.child.kill("SIGINT");
  running.child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 50));
  running.child.kill("SIGINT");
  const { code } = await running.ended;
  assert.equal(code, 130);
  const resumed = await at.run(["-p", "-c", "--allow", "bash", "and now?"]);
  assert.deepEqual([resumed.code, resumed.stdout], [0, "gone on\n"]);
});
