import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import type { JsonObject } from "#core";
import { startScriptedServer, type Fault, type ScriptedTurn } from "#testing";
import { desk, type Desk } from "./pawl.ts";

const key = "sk-test-000000000000000000000000";
const time = { tool: "time", input: {} };
const always = 99;

const refused = (status: number, body: JsonObject, headers = {}): Fault => ({
  type: "status",
  status,
  body,
  headers,
});
const overloaded: Fault = {
  ...refused(
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    {
      "x-should-retry": "false",
    },
  ),
  times: always,
};
const invalid = (message: string): Fault =>
  refused(400, { type: "error", error: { type: "invalid_request_error", message } });

const bodies = ({ server }: Desk): readonly string[] => server.requests.map((one) => one.bodyText);
const result = (
  stdout: string,
): { readonly warnings: readonly string[]; readonly [key: string]: unknown } =>
  JSON.parse(stdout.trim().split("\n").at(-1) ?? "");

/** The keys and addresses of every provider, all of them this server. */
const everywhere = (url: string): Readonly<Record<string, string>> => ({
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: url,
  GEMINI_API_KEY: key,
  GEMINI_BASE_URL: url,
});

test("--fallback-model: it answers the rest of the prompt, the next prompt asks the first again; all of it is on record", async () => {
  // Which turn answers is the number of replies so far.
  const never = { text: "never", fault: overloaded };
  await using at = await desk([never, never, never]);
  await using standby = await startScriptedServer({
    turns: [{ text: "I look.", calls: [time] }, { text: "Noon." }, { text: "Again noon." }],
  });
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: standby.url };
  const args = ["-p", "--output-format", "stream-json", "--fallback-model", "openai/gpt-6.1-sol"];
  const ended = await at.run([...args, "go"], { env });
  assert.equal(ended.code, 0, ended.stderr);
  assert.deepEqual([at.server.requests.length, standby.requests.length], [1, 2]);
  assert.match(ended.stdout, /"remedy":\{"type":"fall_back","model":"openai\/gpt-6\.1-sol"\}/);
  const end = result(ended.stdout);
  assert.equal(end["text"], "Noon.");
  assert.ok(typeof end["cost_usd"] === "number" && end["cost_usd"] > 0, "priced by who answered");
  assert.deepEqual(end.warnings, [
    "anthropic/claude-sonnet-4-5 cannot be had: openai/gpt-6.1-sol goes on with this prompt.",
  ]);
  const shown = await at.run(["show", String(end["session_id"])]);
  assert.match(shown.stdout, /overloaded.*The fallback openai\/gpt-6\.1-sol goes on/s);
  const next = await at.run(["-p", "-c", "and now?"], { env });
  assert.deepEqual([next.code, next.stdout], [0, "Again noon.\n"], next.stderr);
  assert.deepEqual([at.server.requests.length, standby.requests.length], [2, 3]);
  assert.match(next.stderr, /The fallback openai\/gpt-6\.1-sol goes on with this prompt/);
});

test("--fallback-model: killed while it answers, the session goes on with it", async () => {
  await using at = await desk([{ text: "never", fault: overloaded }]);
  const stall: Fault = { type: "stall", events: 4 };
  await using standby = await startScriptedServer({
    turns: [{ text: "It is noon.", fault: stall }],
  });
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: standby.url };
  const running = at.start(["-p", "--fallback-model", "openai/gpt-6.1-sol", "go"], { env });
  while (standby.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  running.child.kill("SIGKILL");
  await running.ended;
  const again = await at.run(["-p", "-c"], { env });
  assert.deepEqual([again.code, again.stdout], [0, "It is noon.\n"], again.stderr);
  assert.deepEqual([at.server.requests.length, standby.requests.length], [1, 2]);
});

for (const { title, args, env, says } of [
  {
    title: "a missing key",
    args: ["--fallback-model", "openai/gpt-6.1-sol"],
    env: {},
    says: /OPENAI_API_KEY/,
  },
  {
    title: "a provider nobody knows",
    args: ["--fallback-model", "nobody/x"],
    env: {},
    says: /There is no provider "nobody"/,
  },
  {
    title: "the model itself",
    args: ["--fallback-model", "anthropic/claude-sonnet-4-5"],
    env: {},
    says: /is the model itself/,
  },
]) {
  test(`--fallback-model that cannot be used is told at the start: ${title}`, async () => {
    await using at = await desk();
    const ended = await at.run(["-p", ...args, "go"], { env });
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, says);
    assert.equal(at.server.requests.length, 0);
  });
}

test("--fallback-model of a session that cannot be had any more is said and left out", async () => {
  await using at = await desk([{ text: "one" }, { text: "two" }]);
  const env = everywhere(at.server.url);
  await at.run(["-p", "--fallback-model", "openai/gpt-6.1-sol", "go"], { env });
  const next = await at.run(["-p", "-c", "and now?"]);
  assert.deepEqual([next.code, next.stdout], [0, "two\n"], next.stderr);
  assert.match(next.stderr, /fallback model openai\/gpt-6\.1-sol of this session cannot be used/);
});

test("a history the provider refuses goes without reasoning from then on, and the session lives", async () => {
  const message = "messages.1.content.0: Invalid `signature` in `thinking` block";
  await using at = await desk([
    { thinking: "Hm.", calls: [time] },
    { text: "Noon.", fault: invalid(message) },
    { text: "Still noon." },
  ]);
  const ended = await at.run(["-p", "go"]);
  assert.deepEqual([ended.code, ended.stdout], [0, "Noon.\n"], ended.stderr);
  assert.match(ended.stderr, /Reasoning so far is left out/);
  const holds = bodies(at).map((body) => body.includes('"thinking":"Hm."'));
  assert.deepEqual(holds, [false, true, false]);
  const next = await at.run(["-p", "-c", "and now?"]);
  assert.deepEqual([next.code, next.stdout], [0, "Still noon.\n"], next.stderr);
  assert.equal(bodies(at).at(-1)?.includes('"thinking":"Hm."'), false);
});

test("[W08] a refused image becomes a line of text, and the session lives", async () => {
  const message = "messages.2.content.0: Could not process image";
  const picture = { tool: "read", input: { path: "dot.png" } };
  await using at = await desk([
    { calls: [picture] },
    { text: "I cannot see it.", fault: invalid(message) },
    { text: "Fine." },
  ]);
  await writeFile(join(at.folder, "dot.png"), Buffer.from(dot, "base64"));
  const ended = await at.run(["-p", "look"]);
  assert.deepEqual([ended.code, ended.stdout], [0, "I cannot see it.\n"], ended.stderr);
  assert.match(ended.stderr, /Images so far are left out/);
  const next = await at.run(["-p", "-c", "go on"]);
  assert.deepEqual([next.code, next.stdout], [0, "Fine.\n"], next.stderr);
  const images = bodies(at).map((body) => body.includes('"type":"image"'));
  assert.deepEqual(images, [false, true, false, false]);
  assert.match(bodies(at).at(-1) ?? "", /An image stood here/);
});

/** One black pixel. */
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const unreadable: Fault = refused(400, {
  error: {
    message: "Failed to call a function.",
    type: "invalid_request_error",
    code: "tool_use_failed",
  },
});

for (const { times, code, stdout } of [
  { times: 1, code: 0, stdout: "Noon.\n" },
  { times: 2, code: 1, stdout: "" },
]) {
  test(`a call the provider cannot read, ${times} time(s): the model is told once`, async () => {
    await using at = await desk([{ text: "Noon.", fault: { ...unreadable, times } }]);
    const args = ["-p", "-m", "groq/llama-test", "--base-url", `${at.server.url}/v1`, "go"];
    const ended = await at.run(args, { env: { GROQ_API_KEY: key } });
    assert.deepEqual([ended.code, ended.stdout], [code, stdout], ended.stderr);
    assert.equal(at.server.requests.length, 2);
    assert.match(bodies(at)[1] ?? "", /Your last reply was lost/);
  });
}

test("reasoning of another model is left out on every wire, with one notice for each switch", async () => {
  const turns: readonly ScriptedTurn[] = Array.from({ length: 8 }, (_, n) => ({
    thinking: `Thought ${n}.`,
    text: `Answer ${n}.`,
  }));
  await using at = await desk(turns);
  const env = { ...everywhere(at.server.url), DEEPSEEK_API_KEY: key };
  const chat = ["-m", "deepseek/deepseek-v4-pro", "--base-url", `${at.server.url}/v1`];
  const models = [
    ["-m", "anthropic/claude-sonnet-4-5"],
    ["-m", "openai/gpt-6.1-sol"],
    ["-m", "gemini/gemini-3.8-flash"],
    chat,
  ];
  const notice = /Reasoning that another model wrote is not sent/g;
  const notices: number[][] = [];
  for (const [index, model] of models.entries()) {
    const go = ["-p", ...(index > 0 ? ["-c"] : []), ...model];
    const first = await at.run([...go, "go"], { env });
    const second = await at.run(["-p", "-c", ...model, "again"], { env });
    assert.deepEqual([first.code, second.code], [0, 0], first.stderr + second.stderr);
    notices.push([first, second].map(({ stderr }) => stderr.match(notice)?.length ?? 0));
  }
  assert.deepEqual(notices, [
    [0, 0],
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
  const foreign = [2, 4, 6].map((index) => bodies(at)[index] ?? "");
  for (const body of foreign) assert.doesNotMatch(body, /Thought \d/);
});

test("[L08] a wait that is too long ends the run, says when to come back, and the session goes on", async () => {
  const busy = refused(
    429,
    { type: "error", error: { type: "rate_limit_error", message: "Slow." } },
    {
      "retry-after": "3600",
    },
  );
  await using at = await desk([{ text: "Noon.", fault: busy }]);
  const ended = await at.run(["-p", "go"]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /too long to wait here: go on after \d\d:\d\d/);
  assert.equal(at.server.requests.length, 1);
  const next = await at.run(["-p", "-c"]);
  assert.deepEqual([next.code, next.stdout], [0, "Noon.\n"], next.stderr);
});

test("[L08] a long wait is shown with its end and its class; left by an interrupt or a kill, it goes on later", async () => {
  const busy = refused(
    429,
    { type: "error", error: { type: "rate_limit_error", message: "Slow." } },
    {
      "retry-after": "300",
    },
  );
  await using at = await desk([{ text: "Noon.", fault: busy }]);
  const running = at.start(["-p", "go"], { stdin: "" });
  await running.until("(rate_limit) Next attempt at ");
  running.child.kill("SIGKILL");
  await running.ended;
  const again = at.start(["-p", "-c"], { stdin: "" });
  await again.until("goes on");
  again.child.kill("SIGINT");
  assert.equal((await again.ended).code, 130);
  assert.equal(at.server.requests.length, 1, "it went on waiting");
  const last = await at.run(["-p", "-c"]);
  assert.deepEqual([last.code, last.stdout], [0, "Noon.\n"], last.stderr);
});

test("[C13] a prompt that can never fit is sent once, and the way out is said", async () => {
  const tooLong = invalid("prompt is too long: 213462 tokens > 200000 maximum");
  await using at = await desk([{ text: "never", fault: { ...tooLong, times: always } }]);
  const ended = await at.run(["-p", "go"]);
  assert.equal(ended.code, 1);
  assert.equal(at.server.requests.length, 1);
  assert.match(ended.stderr, /Nothing more can be cut from it/);
});
