import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { desk, type Running, terminalMaker } from "./pawl.ts";

/** A terminal for a child comes from util-linux. */
function needsTerminal(context: TestContext): boolean {
  const isThere = spawnSync(terminalMaker, ["--version"]).status === 0;
  if (!isThere) context.skip("there is no `script` to make a terminal with");
  return isThere;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const write = { tool: "write", input: { path: "a.txt", content: "hi\n" } };

test("a prompt is answered, streaming, and /exit leaves with the resume line", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "hello back" }]);
  const running = at.type([]);
  await running.until("› ");
  running.press("hello\r");
  await running.until("hello back");
  await running.until("› ");
  running.press("/exit\r");
  const { code, stdout } = await running.ended;
  assert.equal(code, 0);
  assert.match(stdout, /pawl -r 01/);
});

test("R36 [I01] Ctrl-C stops the run and the session lives, then clears the draft (Up brings it back), then hints, then leaves with 130", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([
    { text: "first half ", fault: { type: "stall", events: 4 } },
    { text: "second answer" },
  ]);
  const running = at.type(["go"]);
  await running.until("first half");
  running.press("\x03");
  await running.until("Interrupted");
  running.press("again\r");
  await running.until("second answer");
  await running.until("› ");
  running.press("a draft");
  await running.until("a draft");
  running.press("\x03");
  await pause(100);
  running.press("\x1b[A");
  await running.until("a draft");
  running.press("\x03");
  await pause(100);
  running.press("\x03");
  await running.until("again to leave");
  running.press("\x03");
  const { code, stdout } = await running.ended;
  assert.equal(code, 130);
  assert.match(stdout, /Go on with: pawl -r 01/);
});

test("a question shows the whole call and is answered with y", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ calls: [write] }, { text: "written" }]);
  const running = at.type(["go"]);
  await running.until("? write");
  await running.until("path: a.txt");
  await answer(running, "y");
  await running.until("written");
  assert.equal(await readFile(join(at.folder, "a.txt"), "utf8"), "hi\n");
});

test("any other text at a question is a no with that reason, which the model sees", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ calls: [write] }, { text: "another way" }]);
  const running = at.type(["go"]);
  await running.until("? write");
  await answer(running, "use b.txt instead");
  await running.until("another way");
  assert.match(JSON.stringify(at.server.requests[1]?.body), /use b\.txt instead/);
});

async function answer(running: Running, line: string): Promise<void> {
  await running.until("Allow?");
  await pause(400);
  running.press(`${line}\r`);
}

test("[M13] what was typed before the question appeared is no answer", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([
    { text: "wait ", calls: [write], fault: { type: "slow", ms: 80 } },
    { text: "done" },
  ]);
  const running = at.type(["go"]);
  await running.until("wait");
  running.press("y");
  await running.until("Allow?");
  running.press("y\r");
  await pause(600);
  assert.equal(at.server.requests.length, 1);
  running.press("\x03");
  await running.until("Interrupted");
});

test("R76 R81 after a kill the next start says what was done, running and never begun, and asks", async (context) => {
  if (!needsTerminal(context)) return;
  const third = { tool: "write", input: { path: "c.txt", content: "3\n" } };
  const second = { tool: "write", input: { path: "b.txt", content: "2\n" } };
  await using at = await desk([{ calls: [write, second, third] }, { text: "all three" }]);
  const allow = ["--permission-mode", "edit"];
  await at.run(["-p", ...allow, "go"], { env: { PAWL_CRASH_AT: "fact.tool.started#2" } });
  const running = at.type(allow);
  await running.until("not finished: go");
  await running.until("done: write a.txt");
  await running.until("was running, will be looked into: write b.txt");
  await running.until("never started: write c.txt");
  await running.until("Go on with it?");
  running.press("\r");
  await running.until("all three");
  assert.equal(await readFile(join(at.folder, "c.txt"), "utf8"), "3\n");
});

test("[I10] a terminal that goes away ends the program, with the run interrupted on record", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "first half ", fault: { type: "stall", events: 4 } }]);
  const running = at.type(["go"]);
  await running.until("first half");
  running.child.kill("SIGKILL");
  await running.ended;
  await pause(1_000);
  const shown = await at.run(["sessions", "--json"]);
  const [session] = JSON.parse(shown.stdout);
  assert.equal(session.inUse, false);
  const facts = await at.run(["show", session.id, "--json"]);
  assert.match(facts.stdout, /"interrupt.requested"/);
});

test("[T13] model text cannot send escapes to the terminal", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "\x1b]52;c;aGk=\x07 \u202Eevil\x1b[2J end" }]);
  const running = at.type(["go"]);
  await running.until(" end");
  await running.until("› ");
  running.press("\x04");
  const { stdout } = await running.ended;
  assert.match(stdout, /␛\]52;c;aGk=␇ <U\+202E>evil␛\[2J end/);
});

test("a line typed while the agent works is queued and starts the next prompt", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([
    { text: "slow answer", fault: { type: "slow", ms: 150 } },
    { text: "queued answer" },
  ]);
  const running = at.type(["go"]);
  await running.until("slow");
  running.press("and then this\r");
  await running.until("queued answer");
});

test("[T08] two lines typed at once make one session, the second queued behind the first", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "first answer" }, { text: "second answer" }]);
  const running = at.type([]);
  await running.until("› ");
  running.press("one\rtwo\r");
  await running.until("second answer");
  await running.until("› ");
  running.press("\x04");
  await running.ended;
  const shown = await at.run(["sessions", "--json"]);
  assert.equal(JSON.parse(shown.stdout).length, 1);
});

test("R35 /model refuses a model whose price a cost limit needs, and the session there was goes on", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "first answer" }, { text: "second answer" }]);
  const running = at.type(["--max-cost", "1", "go"]);
  await running.until("first answer");
  await running.until("› ");
  running.press("/model anthropic/unheard-of\r");
  await running.until("--max-cost cannot be kept: the price of anthropic/unheard-of is unknown");
  running.press("again\r");
  await running.until("second answer");
  const models = at.server.requests.map(({ body }) => Reflect.get(Object(body), "model"));
  assert.deepEqual(models, ["claude-sonnet-4-5", "claude-sonnet-4-5"]);
});

test("without a terminal the interactive face says how to run headless, exit 2", async () => {
  await using at = await desk();
  const { code, stderr } = await at.run(["go"]);
  assert.equal(code, 2);
  assert.match(stderr, /pawl -p/);
});

test("/thinking changes the level for the next prompt, and names the levels for a wrong one", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "first answer" }, { text: "second answer" }]);
  const running = at.type(["go"]);
  await running.until("first answer");
  await running.until("› ");
  running.press("/thinking hard\r");
  await running.until("off, low, medium, high, max");
  running.press("/thinking low\r");
  await running.until("Thinking: low");
  running.press("again\r");
  await running.until("second answer");
  assert.deepEqual(
    at.server.requests.map(({ body }) => body["thinking"]),
    [undefined, { type: "enabled", budget_tokens: 4096 }],
  );
});

test("/model before the first prompt refuses what cannot be used", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "first answer" }]);
  const running = at.type([]);
  await running.until("› ");
  running.press("/model nobody/model\r");
  await running.until("There is no provider");
  running.press("/model openai/gpt-5\r");
  await running.until("There is no key for openai");
  running.press("go\r");
  await running.until("first answer");
  assert.equal(at.server.requests.length, 1);
});

test("/model with a model that cannot be used changes nothing", async (context) => {
  if (!needsTerminal(context)) return;
  await using at = await desk([{ text: "first answer" }, { text: "second answer" }]);
  const running = at.type(["go"]);
  await running.until("first answer");
  await running.until("› ");
  running.press("/model nobody/model\r");
  await running.until("There is no provider");
  running.press("again\r");
  await running.until("second answer");
  assert.equal(at.server.requests.length, 2);
});
