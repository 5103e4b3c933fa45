import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import type { Entry } from "#core";
import { type Desk, desk } from "./pawl.ts";

const result = (stdout: string): { readonly [key: string]: unknown } => JSON.parse(stdout);

async function journal(user: Desk): Promise<readonly Entry[]> {
  const [file = ""] = globSync(join(user.home, "sessions", "*", "*", "journal.jsonl"));
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return lines.map((line): Entry => JSON.parse(line));
}

const sent = (user: Desk, request: number): string =>
  JSON.stringify(user.server.requests[request]?.body ?? "");

test("R123 the name in package.json is found in two turns, with one read and no question", async () => {
  await using user = await desk([
    { calls: [{ tool: "read", input: { path: "package.json" } }] },
    { text: "It is called harbour." },
  ]);
  await writeFile(join(user.folder, "package.json"), '{ "name": "harbour" }\n');
  const { code, stdout } = await user.run(["-p", "--output-format", "json", "name?"]);
  const { turns, tool_calls: calls, denials, text } = result(stdout);
  assert.deepEqual(
    { code, turns, calls, denials, text },
    {
      code: 0,
      turns: 2,
      calls: 1,
      denials: [],
      text: "It is called harbour.",
    },
  );
  assert.match(sent(user, 1), /harbour/);
});

test("R124 R17 a test script is added and run, each after a decision, and the model sees the real output", async () => {
  await using user = await desk([
    { calls: [{ tool: "read", input: { path: "package.json" } }] },
    {
      calls: [
        {
          tool: "edit",
          input: {
            path: "package.json",
            old_text: '"name": "harbour"',
            new_text: '"name": "harbour",\n  "scripts": { "test": "echo the tests really ran" }',
          },
        },
      ],
    },
    {
      calls: [{ tool: "bash", input: { command: "grep -o 'the tests really ran' package.json" } }],
    },
    { text: "Added and run." },
  ]);
  await writeFile(join(user.folder, "package.json"), '{\n  "name": "harbour"\n}\n');
  const { code } = await user.run(["-p", "--allow", "edit", "--allow", "bash", "add tests"]);
  assert.equal(code, 0);
  assert.match(sent(user, 3), /the tests really ran/);
  const decided = (await journal(user)).flatMap(({ fact }) =>
    fact.type === "permission.decided" ? [fact.rule] : [],
  );
  assert.deepEqual(decided, ["built-in:read", "flag:edit", "flag:bash"]);
});

test("R125 R114 R118 hard-coded URLs are found and fixed; the effects on record are the changes on disk", async () => {
  await using user = await desk([
    { calls: [{ tool: "grep", input: { pattern: "^import requests", mode: "files" } }] },
    {
      calls: ["file1.py", "file2.py"].map((path) => ({ tool: "read", input: { path } })),
    },
    {
      calls: [
        {
          tool: "edit",
          input: { path: "file2.py", old_text: '"https://example.com/x"', new_text: "BASE + '/x'" },
        },
      ],
    },
    { text: "Only file2.py had a hard-coded URL; it uses BASE now." },
  ]);
  const before = 'import requests\nrequests.get("https://example.com/x")\n';
  await writeFile(join(user.folder, "file1.py"), "import requests\nrequests.get(BASE)\n");
  await writeFile(join(user.folder, "file2.py"), before);
  await writeFile(join(user.folder, "file3.py"), "import os\n");
  const ended = await user.run([
    "-p",
    "--permission-mode",
    "edit",
    "--output-format",
    "json",
    "fix",
  ]);
  const after = await readFile(join(user.folder, "file2.py"), "utf8");
  assert.equal(after, before.replace('"https://example.com/x"', "BASE + '/x'"));
  assert.match(String(result(ended.stdout)["text"]), /file2\.py/);
  assert.deepEqual(result(ended.stdout)["files_modified"], ["file2.py"]);
  const written = (await journal(user)).flatMap(({ fact }) =>
    fact.type === "tool.finished" ? fact.effects : [],
  );
  assert.deepEqual(
    written.map((effect) => (effect.type === "file_written" ? [effect.bytes, effect.lines] : [])),
    [[Buffer.byteLength(after), [2, 2]]],
  );
  const starts = (await journal(user)).map(({ fact }) => fact.type);
  assert.ok(starts.filter((type) => type === "tool.started").length === 4);
});

test("R131 R112 a wrong path comes back as an error, and the model puts it right without a person", async () => {
  await using user = await desk([
    { calls: [{ tool: "read", input: { path: "src/mian.txt" } }] },
    { calls: [{ tool: "list", input: { path: "src" } }] },
    { calls: [{ tool: "read", input: { path: "src/main.txt" } }] },
    { text: "Found it." },
  ]);
  await mkdir(join(user.folder, "src"));
  await writeFile(join(user.folder, "src", "main.txt"), "the right one\n");
  const { code, stdout } = await user.run(["-p", "read main"]);
  assert.deepEqual({ code, stdout }, { code: 0, stdout: "Found it.\n" });
  assert.match(sent(user, 1), /no file src\/mian\.txt/);
  assert.match(sent(user, 3), /the right one/);
});

test("R15 R41 the model alone picks the steps, and the run stops at its limit without anybody's input", async () => {
  await using user = await desk([
    { calls: [{ tool: "time", input: {} }] },
    { calls: [{ tool: "list", input: {} }] },
    { calls: [{ tool: "glob", input: { pattern: "*" } }] },
    { text: "Handing over." },
  ]);
  const ended = await user.run([
    "-p",
    "--max-turns",
    "4",
    "--output-format",
    "json",
    "look around",
  ]);
  const { outcome, limit, turns } = result(ended.stdout);
  assert.deepEqual(
    { code: ended.code, outcome, limit, turns },
    {
      code: 4,
      outcome: "limit",
      limit: "turns",
      turns: 4,
    },
  );
  const ran = (await journal(user)).flatMap(({ fact }) =>
    fact.type === "response.received"
      ? fact.blocks.flatMap((block) => (block.type === "tool_use" ? [block.tool] : []))
      : [],
  );
  assert.deepEqual(ran, ["time", "list", "glob"]);
});

test("R73 R72 R19 a session file holds id, times, model, turns, tokens and the whole conversation", async () => {
  await using user = await desk([
    { text: "Looking.", calls: [{ tool: "time", input: {} }] },
    { text: "It is late." },
  ]);
  const ended = await user.run(["-p", "--output-format", "json", "what time is it?"]);
  const entries = await journal(user);
  const [first] = entries;
  assert.equal(
    first?.fact.type === "session.started" && first.fact.sessionId,
    result(ended.stdout)["session_id"],
  );
  assert.equal(
    first?.fact.type === "session.started" && first.fact.agent.model,
    "anthropic/claude-sonnet-4-5",
  );
  assert.ok(
    entries.every((entry, index) => entry.seq === index + 1 && entry.at > 1_700_000_000_000),
  );
  const replies = entries.flatMap(({ fact }) => (fact.type === "response.received" ? [fact] : []));
  assert.equal(replies.length, 2);
  assert.ok(replies.every(({ usage }) => usage.input > 0 && usage.output > 0));
  assert.deepEqual(
    replies.map(({ blocks }) => blocks.map((block) => block.type)),
    [["text", "tool_use"], ["text"]],
  );
  const finished = entries.filter(({ fact }) => fact.type === "tool.finished");
  assert.equal(finished.length, 1);
});
