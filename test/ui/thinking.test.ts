import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { desk, type Desk } from "./pawl.ts";

const budgets = ({ server }: Desk): readonly unknown[] =>
  server.requests.map(({ body }) => Reflect.get(Object(body["thinking"]), "budget_tokens"));

test("the level of thinking is kept by the session, whatever the settings say, until it is changed", async () => {
  await using at = await desk([{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }]);
  await mkdir(at.home, { recursive: true });
  await writeFile(join(at.home, "config.jsonc"), '{ "thinking": "medium" }');
  for (const args of [[], ["--thinking", "low", "-c"], ["-c"], ["--thinking", "off", "-c"]]) {
    const { code, stderr } = await at.run(["-p", ...args, "go"]);
    assert.equal(code, 0, stderr);
  }
  assert.deepEqual(budgets(at), [12_288, 4096, 4096, undefined]);
  assert.deepEqual(
    at.server.requests.flatMap(({ problems }) => problems),
    [],
  );
});

test("a level nobody knows is exit 2 with the levels there are", async () => {
  await using at = await desk();
  const flag = await at.run(["-p", "--thinking", "hard", "go"]);
  assert.equal(flag.code, 2);
  assert.match(flag.stderr, /--thinking: "hard".*off, low, medium, high, max/);
  await mkdir(at.home, { recursive: true });
  await writeFile(join(at.home, "config.jsonc"), '{ "thinking": 3 }');
  const setting = await at.run(["-p", "go"]);
  assert.equal(setting.code, 2);
  assert.match(setting.stderr, /config\.jsonc:1.*off, low, medium, high, max/);
});

test("a model that cannot be told how hard to think is used as it is, with a notice", async () => {
  await using at = await desk([{ text: "done" }]);
  const env = { PAWL_MODEL: "anthropic/claude-3-5-haiku" };
  const { code, stdout, stderr } = await at.run(["-p", "--thinking", "high", "go"], { env });
  assert.deepEqual([code, stdout], [0, "done\n"]);
  assert.match(stderr, /claude-3-5-haiku cannot be told how hard to think/);
  assert.deepEqual(budgets(at), [undefined]);
});
