import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, existsSync, globSync, openSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { desk, jsonLines } from "./pawl.ts";

const endings = [
  {
    title: "R27 R5 natural completion is outcome completed, exit 0",
    turns: [{ text: "all done" }],
    args: [],
    code: 0,
    outcome: "completed",
    limit: null,
    text: "all done",
  },
  {
    title: "R27 R30 R34 max turns is outcome limit, exit 4, with the number and advice in the text",
    turns: [{ text: "partly", calls: [{ tool: "time", input: {} }] }],
    args: ["--max-turns", "1"],
    code: 4,
    outcome: "limit",
    limit: "turns",
    text: /^partly\n\nStopped by itself at the limit of 1 turn\. Split the task/,
  },
  {
    title: "R27 R37 an unrecoverable error is outcome failed, exit 1",
    turns: [{ fault: { type: "status", status: 401 } as const }],
    args: [],
    code: 1,
    outcome: "failed",
    limit: null,
    text: "",
  },
  {
    title: "R7 [H05] a cut answer is printed and is outcome truncated, exit 3",
    turns: [{ text: "half an ans", stop: "max_tokens" }],
    args: [],
    code: 3,
    outcome: "truncated",
    limit: null,
    text: "half an ans",
  },
  {
    title: "a refusal is outcome refused, exit 5",
    turns: [{ text: "no", stop: "refusal" }],
    args: [],
    code: 5,
    outcome: "refused",
    limit: null,
    text: "no",
  },
  {
    title: "R9 an unknown stop reason is outcome unknown_stop, exit 7, with what had come",
    turns: [{ text: "hm", stop: "surprise" }],
    args: [],
    code: 7,
    outcome: "unknown_stop",
    limit: null,
    text: "hm",
  },
];

for (const { title, turns, args, code, outcome, limit, text } of endings) {
  test(title, async () => {
    await using at = await desk(turns);
    const ended = await at.run(["-p", "--output-format", "json", ...args, "go"]);
    const [result, ...more] = jsonLines(ended.stdout);
    assert.deepEqual(more, []);
    assert.equal(result?.["type"], "result");
    assert.deepEqual(
      { code: ended.code, outcome: result?.["outcome"], limit: result?.["limit"] },
      { code, outcome, limit },
    );
    assert.match(String(result?.["text"]), text instanceof RegExp ? text : new RegExp(`^${text}$`));
  });
}

test("R39 R40 text mode prints the partial answer on stdout, and why it ended and how to go on on stderr", async () => {
  await using at = await desk([{ text: "half an ans", stop: "max_tokens" }]);
  const { stdout, stderr, code } = await at.run(["-p", "go"]);
  assert.equal(stdout, "half an ans\n");
  assert.match(stderr, /cut by the output limit/);
  assert.match(stderr, /pawl -r 01/);
  assert.equal(code, 3);
});

test("R30 R34 text mode says a limit in the answer, once, in the person's language", async () => {
  await using at = await desk([{ text: "partly", calls: [{ tool: "time", input: {} }] }]);
  const args = ["-p", "--lang", "zh-CN", "--max-turns", "1", "go"];
  const { code, stdout, stderr } = await at.run(args);
  assert.equal(code, 4);
  assert.match(stdout, /^partly\n\n到达 1 轮的上限，自动停止。.*拆分任务/);
  assert.doesNotMatch(stderr, /自动停止/);
});

test("the result object holds every field of the contract", async () => {
  await using at = await desk([
    { calls: [{ tool: "write", input: { path: "a.txt", content: "hi\n" } }] },
    { text: "written" },
  ]);
  const { stdout } = await at.run([
    "-p",
    "--output-format",
    "json",
    "--permission-mode",
    "edit",
    "go",
  ]);
  const [result = {}] = jsonLines(stdout);
  const { session_id, seq, duration_ms, cost_usd, usage, ...rest } = result;
  assert.deepEqual(rest, {
    type: "result",
    outcome: "completed",
    limit: null,
    stop: { reason: "end_turn", raw: "end_turn" },
    text: "written",
    structured: null,
    warnings: [],
    turns: 2,
    tool_calls: 1,
    files_modified: ["a.txt"],
    denials: [],
    resume: `pawl -r ${String(session_id)}`,
  });
  assert.ok(Number(seq) > 5 && Number(duration_ms) >= 0 && cost_usd !== 0);
  assert.deepEqual(Object.keys(usage ?? {}), ["input", "output", "cache_read", "cache_write"]);
});

test("R62 R69 a denied question is a result for the model, a denial in the result, and a hint", async () => {
  await using at = await desk([
    { calls: [{ tool: "write", input: { path: "a.txt", content: "hi\n" } }] },
    { text: "could not" },
  ]);
  const { stdout, code } = await at.run(["-p", "--output-format", "json", "go"]);
  const [result = {}] = jsonLines(stdout);
  const [denial] = Array.isArray(result["denials"]) ? result["denials"] : [];
  assert.equal(code, 0);
  assert.equal(denial?.tool, "write");
  assert.match(denial?.reason, /--allow/);
  assert.match(JSON.stringify(at.server.requests[1]?.body), /nobody is there to answer/);
});

test("--on-ask pause stops resumable with exit 6; -r with --allow goes on from there", async () => {
  await using at = await desk([
    { calls: [{ tool: "write", input: { path: "a.txt", content: "hi\n" } }] },
    { text: "written" },
  ]);
  const paused = await at.run(["-p", "--on-ask", "pause", "--output-format", "json", "go"]);
  const [result = {}] = jsonLines(paused.stdout);
  assert.equal(paused.code, 6);
  assert.equal(result["outcome"], "waiting");
  const id = String(result["session_id"]);
  const again = await at.run(["-p", "--on-ask", "pause", "-r", id]);
  assert.equal(again.code, 6);
  assert.match(again.stderr, /waiting for permission .*write a\.txt/);
  const allowed = await at.run(["-p", "-r", id.slice(0, 12), "--allow", "write"]);
  assert.deepEqual([allowed.code, allowed.stdout], [0, "written\n"]);
});

const sources: readonly {
  readonly title: string;
  readonly flags: readonly string[];
  readonly by: readonly [by: string, rule: string];
}[] = [
  { title: "nobody to answer", flags: [], by: ["headless", "built-in:ask"] },
  { title: "a flag", flags: ["--deny", "write"], by: ["rule", "flag:write"] },
  {
    title: "the mode",
    flags: ["--permission-mode", "read-only"],
    by: ["mode", "mode:read-only"],
  },
];

for (const { title, flags, by } of sources) {
  test(`R66 a paused question that is denied later is recorded with what denied it: ${title}`, async () => {
    await using at = await desk([
      { calls: [{ tool: "write", input: { path: "a.txt", content: "hi\n" } }] },
      { text: "could not" },
    ]);
    assert.equal((await at.run(["-p", "--on-ask", "pause", "go"])).code, 6);
    const { stdout } = await at.run(["-p", "-c", "--output-format", "stream-json", ...flags]);
    const facts = jsonLines(stdout).map(({ fact }) => Object(fact));
    const decided = facts.find(({ type }) => type === "permission.decided");
    assert.deepEqual([decided?.by, decided?.rule], by);
  });
}

test("R69 in Chinese the reason of a denial is Chinese, and the model still reads English", async () => {
  await using at = await desk([
    { calls: [{ tool: "bash", input: { command: "git status" } }] },
    { text: "could not" },
  ]);
  const { stderr } = await at.run(["-p", "--lang", "zh-CN", "--allow", "bash(git log *)", "go"]);
  assert.match(
    stderr,
    /flag:bash\(git log \*\) 只覆盖别的调用；没有人在场回答，因此拒绝。可用 --allow 'bash\(git status\)'/,
  );
  assert.match(JSON.stringify(at.server.requests[1]?.body), /nobody is there to answer/);
});

test("R112 a call of a tool nobody has is a line too, with what is wrong", async () => {
  await using at = await desk([
    { calls: [{ tool: "fly", input: { path: "up" } }] },
    { text: "ok" },
  ]);
  const { stderr } = await at.run(["-p", "go"]);
  assert.match(stderr, /● fly up\n  ⎿ error · There is no tool named fly\. The tools are: read, /);
});

test("R65 D16 a file that a rule denies comes out of no search over its folder", async () => {
  await using at = await desk([
    {
      calls: [
        { tool: "grep", input: { pattern: "hush" } },
        { tool: "list", input: {} },
        { tool: "read", input: { path: ".env" } },
      ],
    },
    { text: "ok" },
  ]);
  await writeFile(join(at.folder, ".env"), "KEY=hush-hush\n");
  await writeFile(join(at.folder, "a.txt"), "hush\n");
  const { code } = await at.run(["-p", "--deny", "read(.env)", "go"]);
  const told = JSON.stringify(at.server.requests[1]?.body["messages"]);
  assert.equal(code, 0);
  assert.doesNotMatch(told, /hush-hush/);
  assert.match(told, /1:hush.{1,20}1 path left out: a permission rule keeps it back/);
});

test("errors from every layer are said in Chinese where Chinese was asked for", async () => {
  await using at = await desk([{ fault: { type: "status", status: 401, times: 9 } }]);
  const said = async (...args: readonly string[]): Promise<string> =>
    (await at.run(["--lang", "zh-CN", ...args])).stderr;
  assert.match(await said("-p", "-m", "scripted/none.json", "go"), /无法读取脚本 .*none\.json/);
  assert.match(await said("show", "nope"), /没有会话 nope/);
  assert.match(await said("-p", "go"), /127\.0\.0\.1.*密钥或权限不被接受（HTTP 401）/);
});

test("a result that does not follow its own title names its call", async () => {
  const calls = [
    { tool: "list", input: {} },
    { tool: "list", input: { path: "." } },
  ];
  await using at = await desk([{ calls }, { text: "ok" }]);
  const { stderr } = await at.run(["-p", "go"]);
  const results = stderr.split("\n").filter((line) => line.includes("⎿"));
  const titles = stderr.split("\n").filter((line) => line.startsWith("● "));
  assert.deepEqual([results.length, titles.length], [2, 2]);
  const isNamed = (line: string): boolean => /⎿ list( \.)? · done/.test(line);
  const followTitles = results.every((_, index) =>
    stderr.includes(`${titles[index]}\n${results[index]}`),
  );
  assert.ok(followTitles || results.some(isNamed), stderr);
});

test("R24 a fork that begins in the middle of a run does not say that this run goes on", async () => {
  await using at = await desk([{ calls: [{ tool: "list", input: {} }] }, { text: "ok" }]);
  const { stdout } = await at.run(["-p", "--output-format", "json", "go"]);
  const id = String(jsonLines(stdout)[0]?.["session_id"]);
  const { stderr } = await at.run(["-p", "--fork", `${id}@4`, "again"]);
  assert.doesNotMatch(stderr, /goes on|never started|streaming/);
});

test("stdin that is given is appended to the prompt; without a prompt it is the prompt", async () => {
  await using at = await desk();
  await at.run(["-p", "explain", "this"], { stdin: "the log 你好\n" });
  await at.run(["-p"], { stdin: "only this" });
  const prompts = at.server.requests.map(({ body }) => JSON.stringify(body["messages"]));
  assert.match(prompts[0] ?? "", /"explain this\\n\\nthe log 你好\\n"/);
  assert.match(prompts[1] ?? "", /"only this"/);
});

test("an open but silent stdin does not hold up a run that has a prompt", async () => {
  await using at = await desk();
  const running = at.start(["-p", "go"]);
  const { code, stdout, stderr } = await running.ended;
  assert.deepEqual([code, stdout], [0, "done\n"]);
  assert.match(stderr, /silent/);
});

test("[H01] 300 KB through a slow reader are complete and valid JSON", async () => {
  const long = "x 你好 ".repeat(30_000);
  await using at = await desk([{ text: long }]);
  const running = at.start(["-p", "--output-format", "json", "go"], { stdin: "" });
  running.child.stdout?.pause();
  setTimeout(() => running.child.stdout?.resume(), 1_500);
  const { stdout, code } = await running.ended;
  assert.equal(code, 0);
  assert.equal(jsonLines(stdout)[0]?.["text"], long);
});

test("[H01] output that cannot be written to the end is said, exit 1", async (context) => {
  if (!existsSync("/dev/full")) return context.skip("there is no /dev/full");
  await using at = await desk();
  const full = openSync("/dev/full", "w");
  const { code, stderr } = await at.run(["-p", "go"], { stdout: full });
  closeSync(full);
  assert.equal(code, 1);
  assert.match(stderr, /could not be written to the end \(ENOSPC\)/);
});

test("[H04] stdout is only protocol, also with -v", async () => {
  await using at = await desk([{ calls: [{ tool: "time", input: {} }] }, { text: "done" }]);
  const { stdout } = await at.run(["-p", "-v", "--output-format", "stream-json", "go"]);
  const lines = jsonLines(stdout);
  assert.ok(lines.every((line) => "fact" in line || line["type"] === "result"));
  assert.equal(lines.at(-1)?.["type"], "result");
});

test("[H08] stream-json carries every fact of the journal, byte for byte, from the first", async () => {
  await using at = await desk([{ calls: [{ tool: "time", input: {} }] }, { text: "done" }]);
  const { stdout } = await at.run(["-p", "--output-format", "stream-json", "go"]);
  const lines = stdout.split("\n").slice(0, -2);
  const [journal = ""] = globSync(join(at.home, "sessions/*/*/journal.jsonl"));
  assert.equal(`${lines.join("\n")}\n`, await readFile(journal, "utf8"));
});

test("[H07] U+2028 is escaped on stdout and whole in the value", async () => {
  await using at = await desk([{ text: "a\u2028b\u2029c" }]);
  const { stdout } = await at.run(["-p", "--output-format", "stream-json", "go"]);
  assert.doesNotMatch(stdout, /[\u2028\u2029]/);
  assert.equal(jsonLines(stdout).at(-1)?.["text"], "a\u2028b\u2029c");
});

test("R87 --include-signals adds the text deltas", async () => {
  await using at = await desk([{ text: "streamed" }]);
  const args = ["-p", "--output-format", "stream-json", "--include-signals", "go"];
  const { stdout } = await at.run(args);
  const deltas = jsonLines(stdout).flatMap((line) => {
    const signal = line["signal"];
    return typeof signal === "object" && signal && "delta" in signal ? [signal.delta] : [];
  });
  assert.equal(deltas.join(""), "streamed");
});

test("[H02] stream-json input: blank and CRLF lines are ignored, a bad line is named, the next is read", async () => {
  await using at = await desk();
  const stdin = '\r\n  \n{"type":"pro\n[1]\n{"type":"prompt","text":"go"}\r\n{"type":"fly"}';
  const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
  const { code, stdout, stderr } = await at.run(args, { stdin });
  assert.equal(code, 0);
  assert.equal(jsonLines(stdout).at(-1)?.["outcome"], "completed");
  assert.match(stderr, /stdin line 3: not a JSON object/);
  assert.match(stderr, /stdin line 4: not a JSON object/);
  assert.match(stderr, /stdin line 6: not a command/);
});

test("stream-json input: a question is put as a fact and answered by a line", async () => {
  await using at = await desk([
    { calls: [{ tool: "write", input: { path: "a.txt", content: "hi\n" } }] },
    { text: "written" },
  ]);
  const running = at.start([
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
  ]);
  running.child.stdin?.write('{"type":"prompt","text":"go"}\n');
  await running.until('"permission.asked"');
  running.child.stdin?.write('{"type":"answer","call":"r1-0","verdict":"allow"}\n');
  await running.until('"outcome":"completed"');
  running.child.stdin?.write('{"type":"prompt","text":"and more"}\n');
  running.child.stdin?.end();
  const { code, stdout } = await running.ended;
  const results = jsonLines(stdout).filter((line) => line["type"] === "result");
  assert.equal(code, 0);
  assert.deepEqual(
    results.map((result) => result["outcome"]),
    ["completed", "completed"],
  );
});

test("stream-json input: a question that is open at the end of the input is denied", async () => {
  await using at = await desk([
    { calls: [{ tool: "write", input: { path: "a.txt", content: "hi\n" } }] },
    { text: "not written" },
  ]);
  const args = ["-p", "--input-format", "stream-json", "--output-format", "json"];
  const { code, stdout } = await at.run(args, { stdin: '{"type":"prompt","text":"go"}\n' });
  assert.equal(code, 0);
  assert.equal(jsonLines(stdout)[0]?.["text"], "not written");
});

test("R36 [H05] SIGINT ends the run now: outcome interrupted with what had come, exit 130", async () => {
  await using at = await desk([{ text: "first half ", fault: { type: "stall", events: 4 } }]);
  const running = at.start(["-p", "--output-format", "stream-json", "--include-signals", "go"], {
    stdin: "",
  });
  await running.until('"delta"');
  running.child.kill("SIGINT");
  const { code, stdout } = await running.ended;
  assert.equal(code, 130);
  assert.equal(jsonLines(stdout).at(-1)?.["outcome"], "interrupted");
});

test("[H08] SIGTERM together with the end of stdin: exit 143, the result is the last line", async () => {
  await using at = await desk([{ text: "first half ", fault: { type: "stall", events: 4 } }]);
  const running = at.start([
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--include-signals",
  ]);
  running.child.stdin?.write('{"type":"prompt","text":"go"}\n');
  await running.until('"delta"');
  running.child.stdin?.end();
  running.child.kill("SIGTERM");
  const { code, stdout } = await running.ended;
  assert.equal(code, 143);
  assert.equal(jsonLines(stdout).at(-1)?.["outcome"], "interrupted");
});

test("a reader that goes away ends the run quietly", async () => {
  await using at = await desk([{ text: "first half ", fault: { type: "stall", events: 4 } }]);
  const running = at.start(["-p", "--output-format", "stream-json", "--include-signals", "go"], {
    stdin: "",
  });
  await running.until('"request.started"');
  running.child.stdout?.destroy();
  const { code, stderr } = await running.ended;
  assert.equal(code, 130);
  assert.doesNotMatch(stderr, /EPIPE/);
});

test("R76 -p -c without a prompt goes on with what was killed; a finished session gives its answer again", async () => {
  await using at = await desk([{ calls: [{ tool: "time", input: {} }] }, { text: "done" }]);
  const killed = await at.run(["-p", "go"], { env: { PAWL_CRASH_AT: "fact.tool.finished" } });
  assert.equal(killed.code, null);
  const resumed = await at.run(["-p", "-c"]);
  assert.deepEqual([resumed.code, resumed.stdout], [0, "done\n"]);
  const finished = await at.run(["-p", "-c"]);
  assert.deepEqual([finished.code, finished.stdout], [0, "done\n"]);
  assert.match(finished.stderr, /complete/);
});

test("R81 a resume says which calls were done, which was running and which had not begun", async () => {
  const write = (path: string) => ({ tool: "write", input: { path, content: path } });
  await using at = await desk([
    { calls: [write("a"), write("b"), write("c")] },
    { text: "three files" },
  ]);
  const flags = ["--permission-mode", "edit"];
  await at.run(["-p", ...flags, "go"], { env: { PAWL_CRASH_AT: "write.before_rename#2" } });
  const resumed = await at.run(["-p", "-c", ...flags]);
  assert.deepEqual([resumed.code, resumed.stdout], [0, "three files\n"]);
  const report = resumed.stderr.split("\n").filter((line) => /finished|write [abc]/.test(line));
  assert.deepEqual(report.slice(0, 4), [
    "The last run was not finished; it goes on.",
    "  done: write a",
    "  was running, will be looked into: write b",
    "  never started: write c",
  ]);
});

test("R81 a resume says which call still waits for an answer", async () => {
  const write = { tool: "write", input: { path: "a", content: "a" } };
  await using at = await desk([{ calls: [write] }, { text: "done" }]);
  const flags = ["--on-ask", "pause"];
  await at.run(["-p", ...flags, "go"], { env: { PAWL_CRASH_AT: "fact.permission.asked" } });
  const resumed = await at.run(["-p", "-c", ...flags]);
  assert.equal(resumed.code, 6, resumed.stderr);
  assert.match(resumed.stderr, /waits for your permission: write a/);
  assert.doesNotMatch(resumed.stderr, /never started/);
});

test("a home in which nothing can be made is an error at once", async (context) => {
  if (process.platform !== "linux") return context.skip("there is no /proc here");
  await using at = await desk();
  const ended = await at.run(["-p", "go"], { env: { PAWL_HOME: "/proc/pawl-x" } });
  assert.notEqual(ended.code, 0);
  assert.match(ended.stderr, /Making the session failed/);
});

test("a session whose blobs are gone goes on, with notes in their place, and says so", async () => {
  await using at = await desk([{ text: "read" }, { text: "still here" }]);
  await at.run(["-p", `sum this up: ${"x".repeat(70_000)}`]);
  const folder = join(at.home, "sessions");
  for (const path of await readdir(folder, { recursive: true })) {
    if (/blobs\/[0-9a-f]{64}$/.test(path)) await rm(join(folder, path));
  }
  const again = await at.run(["-p", "-c", "and now?"]);
  assert.deepEqual([again.code, again.stdout], [0, "still here\n"], again.stderr);
  assert.equal(again.stderr.split("missing or damaged on disk").length, 2, again.stderr);
  assert.match(JSON.stringify(at.server.requests[1]?.body), /content lost: 70013 bytes/);
});

test("R25 after a limit -c goes on from the same place with fresh turns", async () => {
  await using at = await desk([{ calls: [{ tool: "time", input: {} }] }, { text: "done" }]);
  const limited = await at.run(["-p", "--max-turns", "1", "go"]);
  assert.equal(limited.code, 4);
  const more = await at.run(["-p", "-c", "--max-turns", "5"]);
  assert.deepEqual([more.code, more.stdout], [0, "done\n"]);
});

test("R24 --fork ID@SEQ begins a new session with a prefix; the parent stays as it was", async () => {
  await using at = await desk([{ text: "one" }, { text: "two" }]);
  const first = await at.run(["-p", "--output-format", "json", "go"]);
  const { session_id, seq } = jsonLines(first.stdout)[0] ?? {};
  const fork = `${String(session_id)}@${String(seq)}`;
  const forked = await at.run(["-p", "--output-format", "json", "--fork", fork, "more"]);
  const result = jsonLines(forked.stdout)[0] ?? {};
  assert.notEqual(result["session_id"], session_id);
  assert.equal(result["text"], "two");
  const parent = await at.run(["show", String(session_id), "--json"]);
  assert.equal(jsonLines(parent.stdout).length, seq);
});

test("[S23] a session whose folder is gone says so and names the choices; --cwd goes on elsewhere", async () => {
  await using at = await desk([{ text: "one" }, { text: "two" }]);
  const gone = join(at.folder, "gone");
  await mkdir(gone);
  const first = await at.run(["-p", "--output-format", "json", "go"], { cwd: gone });
  const id = String(jsonLines(first.stdout)[0]?.["session_id"]);
  await rm(gone, { recursive: true });
  const refused = await at.run(["-p", "-r", id, "more"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--cwd/);
  const moved = await at.run(["-p", "-r", id, "--cwd", ".", "more"]);
  assert.deepEqual([moved.code, moved.stdout], [0, "two\n"]);
});

test("[S17] folders whose names look alike have their own sessions", async () => {
  await using at = await desk([{ text: "one" }]);
  const folders = ["a_b", "a-b", "a.b"].map((name) => join(at.folder, name));
  await Promise.all(folders.map((folder) => mkdir(folder)));
  await Promise.all(folders.map((cwd) => at.run(["-p", "go"], { cwd })));
  const lists = await Promise.all(folders.map((cwd) => at.run(["sessions"], { cwd })));
  assert.deepEqual(
    lists.map(({ stdout }) => stdout.trim().split("\n").length),
    [1, 1, 1],
  );
});

test("[E04] settings with a byte order mark count", async () => {
  await using at = await desk();
  const file = join(at.folder, "config.jsonc");
  await writeFile(file, '\uFEFF{ "limits": { "turns": 7 } }');
  const { stdout } = await at.run(["config", "--config", file]);
  assert.match(stdout, /limits\.turns = 7/);
});

test("--worktree works in a git work tree of its own, out of git's sight", async () => {
  await using at = await desk([
    { calls: [{ tool: "write", input: { path: "new.txt", content: "hi\n" } }] },
    { text: "written" },
  ]);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: at.folder,
      encoding: "utf8",
    });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "first");
  const args = ["-p", "--worktree", "try-1", "--permission-mode", "edit", "--", "go"];
  const { code, stderr } = await at.run(args);
  assert.equal(code, 0, stderr);
  assert.equal(await readFile(join(at.folder, ".pawl/worktrees/try-1/new.txt"), "utf8"), "hi\n");
  assert.equal(git("status", "--short"), "");
});

test("a folder with a newline in its name is a workspace like any other", async () => {
  await using at = await desk([
    { calls: [{ tool: "write", input: { path: "a.txt", content: "hi" } }] },
    { text: "written" },
  ]);
  const cwd = join(at.folder, "two\nlines");
  await mkdir(cwd);
  const { stdout } = await at.run(["-p", "--permission-mode", "edit", "go"], { cwd });
  assert.equal(stdout, "written\n");
  assert.equal(await readFile(join(cwd, "a.txt"), "utf8"), "hi");
});
