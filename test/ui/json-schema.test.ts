import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { desk, type Desk, jsonLines } from "./pawl.ts";

const schema = JSON.stringify({
  type: "object",
  properties: { name: { type: "string" }, count: { type: "integer" } },
  required: ["name", "count"],
  additionalProperties: false,
});

const withSchema = async (at: Desk, text: string = schema): Promise<readonly string[]> => {
  await writeFile(join(at.folder, "schema.json"), text);
  return ["-p", "--json-schema", "schema.json"];
};

const asJson = ["--output-format", "json"];

test("the answer is JSON of the schema: alone on stdout, and a value in the result", async () => {
  await using at = await desk([{ text: '```json\n{"name": "x", "count": 2}\n```' }]);
  const args = await withSchema(at);
  const plain = await at.run([...args, "count"]);
  assert.deepEqual([plain.code, plain.stdout], [0, '{"name": "x", "count": 2}\n']);
  const { stdout } = await at.run([...args, ...asJson, "count"]);
  assert.deepEqual(jsonLines(stdout)[0]?.["structured"], { name: "x", count: 2 });
  const said = JSON.stringify(at.server.requests[0]?.body["messages"]);
  assert.match(said, /one JSON value that fits the JSON Schema.*additionalProperties/);
});

test("an answer that does not fit is asked for again with the part that is wrong", async () => {
  await using at = await desk([
    { text: "Two of them." },
    { calls: [{ tool: "time", input: {} }] },
    { text: '{"name":"x","count":"2"}' },
    { text: '{"name":"x","count":2}' },
  ]);
  const ended = await at.run([...(await withSchema(at)), ...asJson, "count"]);
  const [result] = jsonLines(ended.stdout);
  assert.deepEqual(
    [ended.code, result?.["outcome"], result?.["turns"], result?.["structured"]],
    [0, "completed", 4, { name: "x", count: 2 }],
  );
  const said = at.server.requests.map(({ body }) => JSON.stringify(body["messages"]));
  assert.match(said[1] ?? "", /does not fit the JSON Schema: it is not JSON/);
  assert.match(said[3] ?? "", /\/count: Instance type .*string/);
  assert.deepEqual(
    at.server.requests.flatMap(({ problems }) => problems),
    [],
  );
});

test("after three corrections the run has failed, exit 1, stdout empty, the part named", async () => {
  await using at = await desk([
    { text: "no" },
    { text: "no" },
    { text: "no" },
    { text: '{"name":1}' },
  ]);
  const args = await withSchema(at);
  const plain = await at.run([...args, "count"]);
  assert.deepEqual([plain.code, plain.stdout, at.server.requests.length], [1, "", 4]);
  assert.match(plain.stderr, /did not fit the JSON Schema.*\/name/s);
});

test("a failed result holds the answer as it was, and no value", async () => {
  await using at = await desk([{ text: "no" }, { text: "no" }, { text: "no" }, { text: "no" }]);
  const { code, stdout } = await at.run([...(await withSchema(at)), ...asJson, "count"]);
  const [result] = jsonLines(stdout);
  assert.deepEqual(
    [code, result?.["outcome"], result?.["text"], result?.["structured"]],
    [1, "failed", "no", null],
  );
  assert.match(String(result?.["warnings"]), /did not fit the JSON Schema/);
});

for (const [title, text, said] of [
  ["no JSON", "{ no", /is no usable JSON Schema: it is not JSON/],
  ["a list", "[]", /must be a JSON object/],
  ["no schema", '{"type":"strng"}', /at #\/type/],
  ["a reference to an address", '{"$ref":"https://x.test/s"}', /leads to nothing in it/],
  ["a circle", '{"$ref":"#"}', /have no end/],
  ["too large", JSON.stringify({ title: "x".repeat(300_000) }), /longer than 262144 bytes/],
] as const) {
  test(`a schema file that cannot be used is exit 2 before anything begins: ${title}`, async () => {
    await using at = await desk();
    const ended = await at.run([...(await withSchema(at, text)), "count"]);
    assert.deepEqual([ended.code, ended.stdout, at.server.requests.length], [2, "", 0]);
    assert.match(ended.stderr, said);
    assert.match(
      (await at.run(["sessions"])).stdout + (await at.run(["sessions"])).stderr,
      /no session/,
    );
  });
}

test("a schema file that is missing or a folder is exit 2", async () => {
  await using at = await desk();
  for (const [file, said] of [
    ["none.json", /there is no file .*none\.json/],
    [".", /no text file/],
  ] as const) {
    const ended = await at.run(["-p", "--json-schema", file, "count"]);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, said);
  }
});

test("a run that was killed goes on with its schema; the next prompt has none", async () => {
  await using at = await desk([
    { text: "It is hard to say. ".repeat(40), fault: { type: "stall" } },
    { text: '{"name":"x","count":2}' },
    { text: "Two." },
  ]);
  const first = at.start([
    ...(await withSchema(at)),
    "--output-format",
    "stream-json",
    "--include-signals",
    "count",
  ]);
  await first.until('"signal"');
  first.child.kill("SIGKILL");
  await first.ended;
  const resumed = await at.run(["-p", "-c"]);
  assert.deepEqual([resumed.code, resumed.stdout], [0, '{"name":"x","count":2}\n']);
  const next = await at.run(["-p", "-c", "and in words?"]);
  assert.deepEqual([next.code, next.stdout], [0, "Two.\n"]);
});

test("[W05] half a character in an answer reaches no program", async () => {
  await using at = await desk([{ text: "a\ud83d" }, { text: '{"name":"\\ud83d","count":1}' }]);
  const plain = await at.run(["-p", ...asJson, "say"]);
  assert.equal(jsonLines(plain.stdout)[0]?.["text"], "a\ufffd");
  assert.doesNotMatch(plain.stdout, /\\ud83d/);
  const { stdout } = await at.run([...(await withSchema(at)), ...asJson, "-c", "count"]);
  assert.deepEqual(jsonLines(stdout)[0]?.["structured"], { name: "\ufffd", count: 1 });
});
