import assert from "node:assert/strict";
import { test } from "node:test";

import type { JsonObject } from "#core";
import { geminiRequestProblems } from "#testing";
import { desk, type Desk } from "./pawl.ts";

const time = { tool: "time", input: {} };
const key = "sk-test-000000000000000000000000";
const turns = [
  { thinking: "What time is it?", text: "I look.", calls: [time, time] },
  { text: "Noon." },
  { thinking: "Again.", text: "Still noon." },
];

const paths = ({ server }: Desk): readonly string[] =>
  server.requests.map(({ path, problems }) => [path, ...problems].join(" "));
const listIn = ({ server }: Desk, field: string): readonly JsonObject[] => {
  const list = server.requests.at(-1)?.body[field];
  assert.ok(Array.isArray(list));
  return list as readonly JsonObject[];
};

test("openai: encrypted thoughts and ids go back as they came, also after a restart [W02]", async () => {
  await using at = await desk(turns);
  const env = { PAWL_MODEL: "openai/gpt-6.1-sol", OPENAI_API_KEY: key };
  const first = await at.run(["-p", "go"], { env: { ...env, OPENAI_BASE_URL: at.server.url } });
  assert.deepEqual([first.code, first.stdout], [0, "Noon.\n"], first.stderr);
  const again = ["-p", "-c", "and now?", "--base-url", `${at.server.url}/v1`];
  const second = await at.run(again, { env });
  assert.deepEqual([second.code, second.stdout], [0, "Still noon.\n"], second.stderr);
  assert.deepEqual(paths(at), Array<string>(3).fill("/v1/responses"));
  assert.deepEqual(
    listIn(at, "input").map(({ type, id, call_id: call }) => [type, id ?? call ?? null]),
    [
      ["message", null],
      ["reasoning", "rs_scripted_0"],
      ["message", "msg_scripted_0"],
      ["function_call", "fc_scripted_0_0"],
      ["function_call", "fc_scripted_0_1"],
      ["function_call_output", "call_scripted_0_0"],
      ["function_call_output", "call_scripted_0_1"],
      ["message", "msg_scripted_1"],
      ["message", null],
    ],
  );
  assert.equal(listIn(at, "input")[1]?.["encrypted_content"], btoa("scripted 0"));
});

test("gemini: signatures go back on their parts, also after a restart [W02]", async () => {
  await using at = await desk(turns);
  const env = {
    PAWL_MODEL: "gemini/gemini-3.8-flash",
    GOOGLE_API_KEY: key,
    GEMINI_BASE_URL: at.server.url,
  };
  const first = await at.run(["-p", "go"], { env });
  assert.deepEqual([first.code, first.stdout], [0, "Noon.\n"], first.stderr);
  const second = await at.run(["-p", "-c", "and now?"], { env });
  assert.deepEqual([second.code, second.stdout], [0, "Still noon.\n"], second.stderr);
  const path = "/v1beta/models/gemini-3.8-flash:streamGenerateContent";
  assert.deepEqual(paths(at), Array<string>(3).fill(path));
  assert.deepEqual(
    listIn(at, "contents").map(({ role }) => role),
    ["user", "model", "user", "model", "user"],
  );
  const parts = listIn(at, "contents")[1]?.["parts"] as readonly JsonObject[];
  assert.deepEqual(
    parts.map(({ thoughtSignature: signature }) => signature ?? null),
    [null, btoa("scripted 0"), null],
  );
});

test("a session changes its provider at every prompt, and none sees what is another's [W02, W13]", async () => {
  await using at = await desk([
    ...turns.slice(0, 2),
    { thinking: "Hm.", calls: [time] },
    { text: "Two." },
    { thinking: "Hm.", calls: [time] },
    { text: "Three." },
    { text: "Four." },
  ]);
  const env = {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: at.server.url,
    GEMINI_API_KEY: key,
    GEMINI_BASE_URL: at.server.url,
  };
  const models = [
    "openai/gpt-6.1-sol",
    "gemini/gemini-3.8-flash",
    "anthropic/claude-sonnet-5-5",
    "openai/gpt-6.1-sol",
  ];
  for (const [index, model] of models.entries()) {
    const ended = await at.run(["-p", ...(index > 0 ? ["-c"] : []), "-m", model, "go"], { env });
    assert.equal(ended.code, 0, `${model}: ${ended.stderr}`);
  }
  assert.deepEqual(
    at.server.requests.map(({ problems }) => problems),
    Array.from({ length: 7 }, () => []),
  );
  const [toGemini, toAnthropic, back] = [2, 4, 6].map((index) => at.server.requests[index]);
  assert.deepEqual(geminiRequestProblems(toGemini?.body, { model: "gemini-3.8-flash" }), []);
  assert.match(toGemini?.bodyText ?? "", /skip_thought_signature_validator/);
  assert.doesNotMatch(toGemini?.bodyText ?? "", /encrypted_content|rs_scripted/);
  assert.doesNotMatch(toAnthropic?.bodyText ?? "", /encrypted_content|thoughtSignature/);
  assert.match(back?.bodyText ?? "", /"encrypted_content":"c2NyaXB0ZWQgMA=="/);
  assert.doesNotMatch(back?.bodyText ?? "", /thoughtSignature|"signature"/);
});

test("at the output limit calls of Responses run, calls of Gemini do not [P10]", async () => {
  const limited = [{ calls: [time], stop: "max_tokens" }, { text: "Done." }];
  for (const [model, says] of [
    ["openai/gpt-6.1-sol", /"output":"(?!Error)/],
    ["gemini/gemini-3.8-flash", /"error":"This call was cut by the output limit/],
  ] as const) {
    await using at = await desk(limited);
    const env = { OPENAI_API_KEY: key, GEMINI_API_KEY: key };
    const args = ["-p", "-m", model, "--base-url", at.server.url, "go"];
    const ended = await at.run(args, { env });
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(at.server.requests.at(-1)?.bodyText ?? "", says);
  }
});

test("without a key both say which variable holds it, and exit 2", async () => {
  await using at = await desk();
  for (const [model, variable] of [
    ["openai/gpt-6.1-sol", "OPENAI_API_KEY"],
    ["gemini/gemini-3.8-flash", "GEMINI_API_KEY"],
  ] as const) {
    const ended = await at.run(["-p", "-m", model, "go"]);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, new RegExp(variable));
  }
});
