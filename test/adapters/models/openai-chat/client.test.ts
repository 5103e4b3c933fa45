import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { isPawlError } from "#core";
import { modelClients } from "#adapters/models";
import {
  dialectFor,
  fakeClock,
  openAiChatClient,
  startScriptedServer,
  type OpenAiChatOptions,
} from "#testing";
import { ask, eventStream, serve } from "../asking.ts";
import { chunk, dialectOf, finish, request, stream } from "./chatting.ts";

const ok = stream([chunk({ content: "ok" }), finish("stop"), "[DONE]"]);

/** What a client sends with these options; its base URL is `path` on a server of this machine. */
async function sentWith(
  path: string,
  options: Partial<OpenAiChatOptions> = {},
): Promise<IncomingMessage> {
  let seen: IncomingMessage | null = null;
  await using server = await serve((incoming, response) => {
    seen = incoming;
    response.writeHead(200, eventStream);
    response.end(ok);
  });
  const client = openAiChatClient({
    apiKey: "sk-test-key",
    baseUrl: `${server.url}${path}`,
    clock: fakeClock(),
    dialect: dialectOf("openai-compatible"),
    ...options,
  });
  const last = await ask(client, { request });
  assert.equal(last.type, "end");
  return seen ?? assert.fail("nothing was asked");
}

for (const [base, path] of [
  ["", "/v1/chat/completions"],
  ["/", "/v1/chat/completions"],
  ["/v1", "/v1/chat/completions"],
  ["/v1/", "/v1/chat/completions"],
  ["/api/paas/v4", "/api/paas/v4/chat/completions"],
  ["/v1/chat/completions", "/v1/chat/completions"],
  [
    "/openai/deployments/x/chat/completions?api-version=1",
    "/openai/deployments/x/chat/completions?api-version=1",
  ],
] as const) {
  test(`the base URL "${base}" is asked at ${path}`, async () => {
    assert.equal((await sentWith(base)).url, path);
  });
}

test("the key goes where the provider looks for it; the user's own headers win", async () => {
  const bearer = await sentWith("/v1");
  assert.equal(bearer.headers.authorization, "Bearer sk-test-key");
  const azure = await sentWith("/v1", { dialect: dialectOf("azure") });
  assert.deepEqual(
    [azure.headers["api-key"], azure.headers.authorization],
    ["sk-test-key", undefined],
  );
  const none = await sentWith("/v1", { apiKey: null });
  assert.equal(none.headers.authorization, undefined);
  const own = await sentWith("/v1", { headers: { Authorization: "Basic x", "X-Title": "Pawl" } });
  assert.deepEqual([own.headers.authorization, own.headers["x-title"]], ["Basic x", "Pawl"]);
});

test("the key stands in no failure", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "Incorrect API key: sk-test-key." } }));
  });
  const client = openAiChatClient({
    apiKey: "sk-test-key",
    baseUrl: server.url,
    clock: server.clock,
    dialect: dialectOf("openai-compatible"),
  });
  const last = await ask(client, { request });
  assert.ok(last.type === "failure" && last.failure.class === "auth");
  assert.ok(!last.failure.message.includes("sk-test-key"));
});

const models = (providers: Parameters<typeof modelClients>[0]["providers"] = {}) =>
  modelClients({ providers, cwd: "/", clock: fakeClock() });

test("every provider of this wire has a name; a reference gives the same client each time", () => {
  const names = "deepseek qwen moonshot zai mistral groq openrouter xai".split(" ");
  const keyed = models(Object.fromEntries(names.map((name) => [name, { apiKey: "k" }])));
  for (const name of names) {
    assert.equal(keyed(`${name}/some/model`), keyed(`${name}/some/model`));
    assert.throws(
      () => models()(`${name}/x`),
      (error) => isPawlError(error, "no_api_key"),
      name,
    );
  }
});

test("servers on this machine need no key; unknown ones need an address", () => {
  for (const name of ["ollama", "lmstudio", "llamacpp", "vllm"]) assert.ok(models()(`${name}/x`));
  for (const name of ["openai-compatible", "azure"]) {
    assert.throws(
      () => models({ [name]: { apiKey: "k" } })(`${name}/x`),
      (error) =>
        isPawlError(error, "no_base_url") &&
        error.message.includes(name === "azure" ? "https://NAME.openai.azure.com" : "127.0.0.1"),
      name,
    );
    assert.ok(models({ [name]: { baseUrl: "http://127.0.0.1:1/v1" } })(`${name}/x`));
  }
  assert.throws(
    () => models({ ollama: { baseUrl: "127.0.0.1:1" } })("ollama/x"),
    (error) => isPawlError(error, "invalid_base_url"),
  );
});

test("a client made by its reference is understood by a server of this wire", async () => {
  const call = { tool: "read", input: { path: "a" } };
  await using server = await startScriptedServer({
    turns: [{ calls: [call] }],
    clock: fakeClock(),
  });
  const client = models({ "openai-compatible": { baseUrl: `${server.url}/v1` } })(request.model);
  const last = await ask(client, { request });
  assert.ok(last.type === "end");
  assert.equal(last.reply.stop.raw, "tool_calls");
  assert.deepEqual(
    server.requests.map(({ path, problems }) => [path, problems]),
    [["/v1/chat/completions", []]],
  );
});

test("a server nobody has named speaks the dialect of its address, or what its model asks for", () => {
  const at = (baseUrl: string, model = "m") => {
    const dialect = dialectFor("openai-compatible", { model, baseUrl });
    assert.equal(dialect?.provider, "openai-compatible");
    return dialect;
  };
  assert.equal(at("https://api.deepseek.com").thinkingBack, "on_every_call");
  assert.equal(at("https://api.mistral.ai/v1").callIds, "nine_letters");
  assert.equal(at("https://me.openai.azure.com/openai/v1").keyHeader, "api-key");
  assert.equal(at("https://api.moonshot.cn/v1").schemaNodes, "typed");
  const local = "http://127.0.0.1:4711/v1";
  assert.equal(at(local).thinkingBack, "as_it_came");
  assert.equal(at(local, "deepseek-ai/DeepSeek-V4").thinkingBack, "on_every_call");
  assert.deepEqual(
    ["gpt-6-sol", "openai/o3", "gpt-oss-120b", "o2-like"].map(
      (model) => at(local, model).outputLimit,
    ),
    ["max_completion_tokens", "max_completion_tokens", "max_tokens", "max_completion_tokens"],
  );
  assert.equal(dialectFor("deepseek", { baseUrl: local })?.thinkingBack, "on_every_call");
});
