import assert from "node:assert/strict";
import { test } from "node:test";

import type { JsonObject } from "#core";
import { desk, jsonLines } from "./pawl.ts";

const key = "sk-test-000000000000000000000000";
const time = { tool: "time", input: {} };

/** One of each wire; the walk goes from each to each other once. */
const models = {
  anthropic: "anthropic/claude-sonnet-5-5",
  responses: "openai/gpt-6.1-sol",
  gemini: "gemini/gemini-3.8-flash",
  chat: "deepseek/deepseek-v4-pro",
} as const;
const walk = [
  ...(["anthropic", "responses", "anthropic", "gemini", "anthropic", "chat"] as const),
  ...(["responses", "gemini", "responses", "chat", "gemini", "chat", "anthropic"] as const),
];

const passed = (index: number): string => `${walk[index] ?? ""} → ${walk[index + 1] ?? ""}`;

test("a session changes its model in every direction between wires, and each request is valid [W02, W13]", async () => {
  const ways = new Set(Array.from({ length: walk.length - 1 }, (_, index) => passed(index)));
  assert.equal(ways.size, 12);
  await using at = await desk(
    walk.flatMap((wire) => [
      { thinking: `I am ${wire}.`, text: "I look.", calls: [time] },
      { text: `Said over ${wire}.` },
    ]),
  );
  const env = {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: at.server.url,
    GEMINI_API_KEY: key,
    GEMINI_BASE_URL: at.server.url,
    DEEPSEEK_API_KEY: key,
  };
  for (const [index, wire] of walk.entries()) {
    const args = ["-p", ...(index > 0 ? ["-c"] : []), "-m", models[wire], "--thinking", "low"];
    const url = wire === "chat" ? ["--base-url", `${at.server.url}/v1`] : [];
    const ended = await at.run([...args, ...url, "go on"], { env });
    assert.deepEqual([ended.code, ended.stdout], [0, `Said over ${wire}.\n`], ended.stderr);
  }
  assert.deepEqual(
    at.server.requests.flatMap(({ path, problems }) => problems.map((one) => `${path}: ${one}`)),
    [],
  );
  const [id = ""] = /\b01[0-9A-Z]{24}\b/.exec((await at.run(["sessions"])).stdout) ?? [];
  const shown = await at.run(["show", id, "--json"]);
  const changes = jsonLines(shown.stdout).flatMap((line) => {
    const fact = (line["entry"] as JsonObject | undefined)?.["fact"] as JsonObject | undefined;
    return fact?.["type"] === "agent.changed" ? [fact["agent"] as JsonObject] : [];
  });
  const changed = changes.flatMap(({ model }) => (model === undefined ? [] : [model]));
  assert.deepEqual(
    changed,
    walk.slice(1).map((wire) => models[wire]),
  );
  const [first] = changes;
  assert.deepEqual([first?.["model"], first?.["window"]], [models.responses, 1_050_000]);
  const words = (await at.run(["show", id])).stdout;
  for (const model of Object.values(models)) assert.match(words, new RegExp(`${model}: \\d+ repl`));
});
