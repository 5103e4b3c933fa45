import assert from "node:assert/strict";
import { test } from "node:test";

import { desk, jsonLines } from "./pawl.ts";

const stream = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
const prompt = (text: string): string => `${JSON.stringify({ type: "prompt", text })}\n`;

const resultsIn = (stdout: string): readonly (readonly unknown[])[] =>
  jsonLines(stdout)
    .filter(({ type }) => type === "result")
    .map(({ outcome, text }) => [outcome, text]);

test("two prompts sent at once have a result each, the last line is the last one", async () => {
  await using at = await desk([{ text: "first" }, { text: "second" }]);
  const { code, stdout } = await at.run(stream, { stdin: prompt("one") + prompt("two") });
  assert.equal(code, 0);
  assert.deepEqual(resultsIn(stdout), [
    ["completed", "first"],
    ["completed", "second"],
  ]);
  assert.equal(jsonLines(stdout).at(-1)?.["type"], "result");
});

test("a prompt that joins a run while its tools work has the result of that run", async () => {
  await using at = await desk([
    { calls: [{ tool: "bash", input: { command: "sleep 1" } }] },
    { text: "both done" },
  ]);
  const running = at.start([...stream, "--permission-mode", "bypass"]);
  running.press(prompt("one"));
  await running.until('"tool.started"');
  running.press(prompt("two"));
  await running.until("both done");
  running.child.stdin?.end();
  const { code, stdout } = await running.ended;
  assert.equal(code, 0);
  assert.deepEqual(resultsIn(stdout), [
    ["completed", "both done"],
    ["completed", "both done"],
  ]);
});

for (const format of ["json", "stream-json"]) {
  test(`input that ends at once has a result too, and it is complete: ${format}`, async () => {
    await using at = await desk();
    const args = ["-p", "--input-format", "stream-json", "--output-format", format];
    const { code, stdout } = await at.run(args, { stdin: "" });
    assert.deepEqual([code, resultsIn(stdout)], [0, [["completed", ""]]]);
  });

  for (const [title, args, code, error] of [
    ["a model nobody knows", ["-m", "nobody/x"], 2, "unknown_model"],
    ["a model without a key", ["-m", "deepseek/x"], 2, "no_key"],
    ["a wrong value", ["--max-turns", "none"], 2, "usage"],
    ["an option nobody knows", ["--no-such-thing"], 2, "usage"],
    ["a schema that is missing", ["--json-schema", "none.json"], 2, "schema_invalid"],
    ["a session that is missing", ["-r", "01NONE"], 2, "session_not_found"],
  ] as const) {
    test(`what cannot begin has a result with the error: ${title}, ${format}`, async () => {
      await using at = await desk();
      const ended = await at.run(["-p", "--output-format", format, ...args, "go"]);
      const [result, ...more] = jsonLines(ended.stdout);
      const { outcome, session_id: id, error: said } = result ?? {};
      assert.deepEqual([ended.code, more, outcome, id], [code, [], "failed", null]);
      assert.equal(Reflect.get(Object(said), "code"), error);
      assert.notEqual(ended.stderr, "");
    });
  }
}

test("a program that forgot -p has a result with the error", async () => {
  await using at = await desk();
  const { code, stdout } = await at.run(["--output-format", "json", "go"]);
  const [result] = jsonLines(stdout);
  assert.deepEqual([code, result?.["outcome"]], [2, "failed"]);
});

test("text for people has no such line", async () => {
  await using at = await desk();
  const { code, stdout } = await at.run(["-p", "-m", "nobody/x", "--", "--output-format", "json"]);
  assert.deepEqual([code, stdout], [2, ""]);
});
