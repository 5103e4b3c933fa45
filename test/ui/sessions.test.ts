import assert from "node:assert/strict";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { desk } from "./pawl.ts";

const journals = (home: string): readonly string[] =>
  globSync(join(home, "sessions", "*", "*", "journal.jsonl"));

test("R78 prune removes sessions that were not used for some days, and says how many", async () => {
  await using user = await desk([{ text: "one" }]);
  await user.run(["-p", "first"]);
  await user.run(["-p", "second"]);
  const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  const [old = ""] = journals(user.home);
  await utimes(old, longAgo, longAgo);
  const pruned = await user.run(["sessions", "prune"]);
  assert.match(pruned.stdout, /^removed 1 session, \d+ kB\n$/);
  assert.equal(journals(user.home).length, 1);
});

test("R78 [S25] a session that is open somewhere is never pruned, whatever its age", async () => {
  await using user = await desk([{ text: "", fault: { type: "stall" } }]);
  const running = user.start(["-p", "--output-format", "stream-json", "go"], { stdin: "" });
  await running.until("request.started");
  const pruned = await user.run(["sessions", "prune", "0"]);
  assert.match(pruned.stdout, /^removed 0 sessions/);
  assert.match(pruned.stderr, /is open somewhere and stays/);
  assert.equal(journals(user.home).length, 1);
});

test("prune with something that is no number of days removes nothing", async () => {
  await using user = await desk();
  await user.run(["-p", "first"]);
  const pruned = await user.run(["sessions", "prune", "all"]);
  assert.equal(pruned.code, 2);
  assert.equal(journals(user.home).length, 1);
});

test("[S08] after a damaged line a run is stopped and said, and its command is not run again", async () => {
  await using user = await desk([
    { calls: [{ tool: "bash", input: { command: "echo ran >> log" } }] },
    { text: "done" },
  ]);
  await user.run(["-p", "--allow", "bash", "go"]);
  const [file = ""] = journals(user.home);
  const lines = (await readFile(file, "utf8")).split("\n");
  const reply = lines.findIndex((line) => line.includes("response.received"));
  await writeFile(
    file,
    lines.with(reply, (lines[reply] ?? "").replace("tool_use", "tool_Use")).join("\n"),
  );
  const ended = await user.run(["-p", "-c", "--allow", "bash", "--output-format", "json"]);
  assert.match(ended.stderr, /after the damage no longer fit/);
  assert.match(ended.stdout, /"outcome":"interrupted"/);
  assert.equal(ended.code, 130);
  assert.equal(await readFile(join(user.folder, "log"), "utf8"), "ran\n");
});
