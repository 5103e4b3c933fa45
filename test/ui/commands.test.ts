import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { changesBetween } from "../../src/ui/view/changes.ts";
import { desk, jsonLines } from "./pawl.ts";

test("R116 show A..B says what happened in each step and what it changed", async () => {
  await using at = await desk([{ calls: [{ tool: "time", input: {} }] }, { text: "done" }]);
  const ran = await at.run(["-p", "--output-format", "json", "go"]);
  const id = String(jsonLines(ran.stdout)[0]?.["session_id"]);
  const { stdout } = await at.run(["show", `${id.slice(0, 12)}@2..3`]);
  assert.match(stdout, /^ {3}2 {2}[\d:.]+ {2}prompt: go$/m);
  assert.match(stdout, /^ {3}3 {2}[\d:.]+ {2}request r1 to anthropic\/claude-sonnet-4-5$/m);
  assert.match(stdout, /phase\.at: "idle" → "thinking"/);
  assert.match(stdout, /messages: \+ \{"role":"user"/);
  assert.doesNotMatch(stdout, /^ {3}[14] /m);
});

test("R115 show --messages gives the exact request of each model call", async () => {
  await using at = await desk([{ calls: [{ tool: "time", input: {} }] }, { text: "done" }]);
  const ran = await at.run(["-p", "--output-format", "json", "go"]);
  const id = String(jsonLines(ran.stdout)[0]?.["session_id"]);
  const { stdout } = await at.run(["show", id, "--messages", "--json"]);
  const requests = jsonLines(stdout);
  const sent = at.server.requests.map(({ body }) => body);
  const textsOf = (value: unknown): readonly string[] =>
    [...JSON.stringify(value).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
  assert.equal(requests.length, 2);
  assert.deepEqual(
    requests.map((request) => textsOf(request["system"])),
    sent.map((body) => textsOf(body["system"])),
  );
  assert.deepEqual(
    requests.map((request) => textsOf(request["messages"]).length),
    [1, 2],
  );
});

test("R119 any state can be looked at without the model: show --json holds facts and changes", async () => {
  await using at = await desk();
  await at.run(["-p", "go"]);
  const [session] = JSON.parse((await at.run(["sessions", "--json"])).stdout);
  const lines = jsonLines((await at.run(["show", session.id, "--json"])).stdout);
  assert.deepEqual(Object.keys(lines[0] ?? {}), ["entry", "illegal", "changes"]);
  assert.equal(at.server.requests.length, 1);
});

test("show of a step that is not there, and of nothing, are usage errors", async () => {
  await using at = await desk();
  await at.run(["-p", "go"]);
  const [session] = JSON.parse((await at.run(["sessions", "--json"])).stdout);
  const far = await at.run(["show", `${session.id}@999`]);
  const none = await at.run(["show"]);
  const unknown = await at.run(["show", "01ZZZ"]);
  assert.deepEqual([far.code, none.code, unknown.code], [2, 2, 2]);
  const backwards = await at.run(["show", `${session.id}@3..2`]);
  assert.deepEqual([backwards.code, backwards.stdout], [2, ""]);
  assert.match(backwards.stderr, /3\.\.2 holds no step/);
});

test("sessions lists this folder's, rm removes by prefix and none when one is wrong", async () => {
  await using at = await desk();
  await at.run(["-p", "first\nthing 你好"]);
  const { stdout } = await at.run(["sessions"]);
  assert.match(stdout, /^01\w{24} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}first.*你好$/m);
  const id = stdout.slice(0, 26);
  assert.equal((await at.run(["sessions", "rm", id, "01ZZZ"])).code, 2);
  assert.match((await at.run(["sessions"])).stdout, new RegExp(id));
  assert.equal((await at.run(["sessions", "rm", id.slice(0, 14).toLowerCase()])).code, 0);
  assert.equal((await at.run(["sessions"])).stdout, "");
});

test("R78 the help of sessions names prune", async () => {
  await using at = await desk();
  assert.match((await at.run(["--help"])).stdout, /sessions \[list\|rm ID…\|prune \[DAYS\]\]/);
});

test("sessions search is named as not in this version", async () => {
  await using at = await desk();
  assert.equal((await at.run(["sessions", "search", "words"])).code, 2);
});

test("-r without an id lists the sessions when nobody can choose, exit 2", async () => {
  await using at = await desk();
  await at.run(["-p", "the first task"]);
  const { code, stderr } = await at.run(["-p", "-r"]);
  assert.equal(code, 2);
  assert.match(stderr, /01\w{24} {2}the first task/);
});

test("config shows each setting with its source, and no secret", async () => {
  await using at = await desk();
  const file = join(at.folder, "mine.jsonc");
  const providers = { anthropic: { headers: { "X-Key": "hidden" }, apiKeyCommand: "cat hidden" } };
  await writeFile(file, JSON.stringify({ providers, limits: { turns: 7 } }));
  const { stdout } = await at.run(["config", "--config", file, "--allow", "bash(git log *)"]);
  assert.match(stdout, /limits\.turns = 7 {2}\(user .*mine\.jsonc:1\)/);
  assert.match(stdout, /model = "anthropic\/claude-sonnet-4-5" {2}\(environment PAWL_MODEL\)/);
  assert.match(stdout, /allow bash\(git log \*\) {2}\(flag\)/);
  assert.doesNotMatch(stdout, /hidden/);
});

test("without a key or model the three ways are named, exit 2", async () => {
  await using at = await desk();
  const env = {
    PAWL_MODEL: undefined,
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: undefined,
  };
  const { code, stderr } = await at.run(["-p", "go"], { env });
  assert.equal(code, 2);
  assert.match(stderr, /ANTHROPIC_API_KEY=[\s\S]*PAWL_MODEL[\s\S]*pawl demo/);
  assert.equal((await at.run(["sessions"], { env })).stdout, "");
});

test("a cost limit with a price nobody knows is refused with the way out", async () => {
  await using at = await desk();
  const args = ["-p", "-m", "anthropic/unheard-of-1", "--max-cost", "1", "go"];
  const { code, stderr } = await at.run(args);
  assert.equal(code, 2);
  assert.match(stderr, /price of anthropic\/unheard-of-1 is unknown.*--max-tokens/);
});

test("init writes AGENTS.md once", async () => {
  await using at = await desk();
  await at.run(["init", "--lang", "zh-CN"]);
  const text = await readFile(join(at.folder, "AGENTS.md"), "utf8");
  assert.match(text, /^# 在本项目中工作/);
  const again = await at.run(["init"]);
  assert.equal(again.code, 0);
  assert.equal(await readFile(join(at.folder, "AGENTS.md"), "utf8"), text);
});

test("the completion script for bash is bash, and completes options and commands", async () => {
  await using at = await desk();
  const { stdout } = await at.run(["completion", "bash"]);
  const ask = `${stdout}\nCOMP_WORDS=(pawl --max-t); COMP_CWORD=1; _pawl; echo "\${COMPREPLY[@]}"`;
  const { stdout: answer } = spawnSync("bash", ["--norc", "-c", ask], { encoding: "utf8" });
  assert.equal(answer, "--max-turns --max-tokens --max-tool-calls --max-time\n");
  assert.equal((await at.run(["completion", "tcsh"])).code, 2);
  const others = await Promise.all(["zsh", "fish"].map((name) => at.run(["completion", name])));
  assert.ok(others.every(({ stdout: script }) => script.includes("permission-mode")));
});

test("errors and help speak the language that was asked for", async () => {
  await using at = await desk();
  const chinese = await at.run(["--max-turns", "abc"], { env: { PAWL_LANG: "zh-CN" } });
  assert.match(chinese.stderr, /^pawl： --max-turns：不能用“abc”/);
  const flag = await at.run(["--lang", "zh-CN", "--help"]);
  assert.match(flag.stdout, /^用法：/);
});

test("differences between states name the path, and what a list has got", () => {
  const before = { a: 1, list: [1], deep: { x: { y: null } }, gone: true };
  const after = { a: 2, list: [1, 2], deep: { x: { y: "z" } }, came: [] };
  assert.deepEqual(changesBetween(before, after), [
    { path: "a", from: 1, to: 2 },
    { path: "list", added: [2] },
    { path: "deep.x.y", from: null, to: "z" },
    { path: "gone", from: true, to: null },
    { path: "came", from: null, to: [] },
  ]);
});
