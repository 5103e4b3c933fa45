import assert from "node:assert/strict";
import { test } from "node:test";
import { dialectFor } from "#adapters/models";
import { checkProvider, type Checked } from "#adapters/models/check";
import { systemClock } from "#adapters/system";
import { serveRoutes, type Routes } from "./local-servers.ts";

async function check(provider: string, routes: Routes, path = ""): Promise<Checked> {
  await using server = await serveRoutes(routes);
  const dialect = dialectFor(provider);
  assert.ok(dialect !== null);
  return await checkProvider(dialect, {
    baseUrl: server.url + path,
    apiKey: "sk-geheim",
    headers: { "X-Own": "7" },
    clock: systemClock(),
    withinMs: 500,
    env: {},
  });
}

const asked = [
  { provider: "anthropic", path: "", at: "/v1/models", header: "x-api-key", key: "sk-geheim" },
  { provider: "anthropic", path: "/v1", at: "/v1/models", header: "x-api-key", key: "sk-geheim" },
  { provider: "openai", path: "/v1", at: "/v1/models", header: "authorization" },
  {
    provider: "gemini",
    path: "",
    at: "/v1beta/models",
    header: "x-goog-api-key",
    key: "sk-geheim",
  },
  { provider: "gemini", path: "/v1", at: "/v1/models", header: "x-goog-api-key", key: "sk-geheim" },
  { provider: "deepseek", path: "", at: "/v1/models", header: "authorization" },
  { provider: "zai", path: "/api/paas/v4", at: "/api/paas/v4/models", header: "authorization" },
  { provider: "openrouter", path: "/api/v1", at: "/api/v1/key", header: "authorization" },
  {
    provider: "azure",
    path: "/openai/v1",
    at: "/openai/v1/models",
    header: "api-key",
    key: "sk-geheim",
  },
];

for (const { provider, path, at, header, key = "Bearer sk-geheim" } of asked) {
  test(`a key of ${provider} is tried at ${path}${at}, with the user's own headers`, async () => {
    let heard: unknown;
    const checked = await check(
      provider,
      {
        [at]: (response) => {
          heard = [
            response.req.method,
            response.req.headers[header],
            response.req.headers["x-own"],
          ];
          response.end("{}");
        },
      },
      path,
    );
    assert.deepEqual(checked, { type: "let_in" });
    assert.deepEqual(heard, ["GET", key, "7"]);
  });
}

const answers = [
  { title: "401", route: "401", gives: "failure auth" },
  { title: "403 without words", route: "403", gives: "failure auth" },
  { title: "429", route: "429", gives: "failure rate_limit" },
  { title: "500", route: "500", gives: "failure server" },
  { title: "404", route: "404", gives: "wrong_address" },
] as const;

for (const { title, route, gives } of answers) {
  test(`an answer ${title} to whoever tries a key is ${gives}`, async () => {
    const checked = await check("deepseek", {
      "/v1/models": (response) => response.writeHead(Number(route)).end(""),
    });
    const said = checked.type === "failure" ? `failure ${checked.failure.class}` : checked.type;
    assert.equal(said, gives);
  });
}

test("silence ends in time, and a long list is for those who were let in", async () => {
  assert.deepEqual(await check("deepseek", { "/v1/models": () => {} }), { type: "silent" });
  const long = await check("deepseek", {
    "/v1/models": (response) => response.end(`{"data":"${"x".repeat(3_000_000)}"}`),
  });
  assert.ok(long.type === "let_in" || long.type === "silent");
});
