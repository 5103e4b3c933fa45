import assert from "node:assert/strict";
import { test } from "node:test";

import type { Json } from "#core";
import { desk, type Desk } from "./pawl.ts";

const time = { tool: "time", input: {} };

/** Runs `pawl` with a model of the Chat Completions wire. */
const ask = (at: Desk, ...args: readonly string[]) =>
  at.run(["-p", ...args, "--base-url", `${at.server.url}/v1`], {
    env: { PAWL_MODEL: undefined, DEEPSEEK_API_KEY: "sk-test-000000000000000000000000" },
  });

/** The replies in the last request. */
function replies({ server }: Desk): readonly Json[] {
  const messages = server.requests.at(-1)?.body["messages"];
  assert.ok(Array.isArray(messages));
  return messages.filter((message) => (message as { role: string }).role === "assistant");
}

test("DeepSeek gets its thinking back with every call, also after a restart [W01]", async () => {
  await using at = await desk([
    { thinking: "What time is it?", calls: [time] },
    { calls: [time] },
    { text: "Noon." },
    { text: "Still noon." },
  ]);
  const first = await ask(at, "-m", "deepseek/deepseek-v4-pro", "go");
  assert.deepEqual([first.code, first.stdout], [0, "Noon.\n"], first.stderr);
  const second = await ask(at, "-c", "and now?");
  assert.deepEqual([second.code, second.stdout], [0, "Still noon.\n"], second.stderr);
  assert.deepEqual(
    replies(at).map((reply) => (reply as { reasoning_content?: string }).reasoning_content),
    ["What time is it?", "", undefined],
  );
  assert.deepEqual(
    at.server.requests.map(({ path, turn, problems }) => [path, turn, problems]),
    [0, 1, 2, 3].map((turn) => ["/v1/chat/completions", turn, []]),
  );
});

test("at the output limit no call of this wire runs, and the model is told [P10]", async () => {
  await using at = await desk([
    {
      text: "Writing.",
      calls: [{ tool: "write", input: { path: "a", content: "x" } }],
      stop: "max_tokens",
    },
    { text: "Then not." },
  ]);
  const ended = await ask(at, "-m", "openai-compatible/any", "--permission-mode", "bypass", "go");
  assert.equal(ended.code, 0, ended.stderr);
  const results = JSON.stringify(at.server.requests.at(-1)?.body["messages"]);
  assert.match(results, /Error: This call was cut by the output limit/);
});

test("a server of nobody's without an address is a usage error that says what to do", async () => {
  await using at = await desk();
  const ended = await at.run(["-p", "-m", "openai-compatible/any", "go"]);
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /--base-url/);
});
