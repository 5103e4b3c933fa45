import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { lookForServers, type LocalServer, type LookOptions } from "#adapters/models/local";
import { systemClock } from "#adapters/system";
import { llamaCpp, lmStudio, ollama, type Routes, serveRoutes, vllm } from "./local-servers.ts";

/** What is found at a server with these answers, by the name of its kind. */
async function found(
  provider: string,
  routes: Routes,
  options: Partial<LookOptions> = {},
): Promise<LocalServer | undefined> {
  await using server = await serveRoutes(routes);
  const place = { provider, baseUrl: `${server.url}/v1`, apiKey: null, headers: {} };
  const [one] = await lookForServers([place], {
    clock: systemClock(),
    withinMs: 2000,
    env: {},
    ...options,
  });
  return one;
}

const modelsOf = (server: LocalServer | undefined): unknown =>
  server?.at === "found" ? server.models : server;

test("Ollama offers what writes text, what is in memory first, with window, tools and images", async () => {
  assert.deepEqual(modelsOf(await found("ollama", ollama)), [
    {
      name: "llama3.2-vision:latest",
      isLoaded: true,
      knowledge: { window: 65_536, tools: "native", images: "taken" },
      windowMayBeLess: false,
    },
    {
      name: "qwen3-coder:30b",
      isLoaded: false,
      knowledge: { window: 32_768, tools: "native", images: "refused" },
      windowMayBeLess: false,
    },
    {
      name: "phi:latest",
      isLoaded: false,
      knowledge: { window: 2048, tools: "text", images: "refused" },
      windowMayBeLess: true,
    },
  ]);
});

test("an Ollama that says no more than names is offered by names; a name without tag is the latest", async () => {
  const { "/api/tags": tags } = ollama;
  const old = await found("ollama", { "/api/tags": tags ?? null });
  assert.deepEqual(old?.at === "found" ? old.models.map(({ name }) => name) : old, [
    "qwen3-coder:30b",
    "phi:latest",
    "llama3.2-vision:latest",
  ]);
  const only = await found("ollama", ollama, { only: "phi" });
  assert.deepEqual(only?.at === "found" ? only.models.map(({ name }) => name) : only, [
    "phi:latest",
  ]);
});

test("LM Studio offers chat models, loaded ones first, with the window they are loaded with", async () => {
  const expected = [
    {
      name: "meta-llama-3.1-8b",
      isLoaded: true,
      knowledge: { window: 8192, images: "refused" },
      windowMayBeLess: false,
    },
    {
      name: "qwen2-vl-7b",
      isLoaded: false,
      knowledge: { window: 32_768, images: "taken" },
      windowMayBeLess: true,
    },
  ];
  assert.deepEqual(modelsOf(await found("lmstudio", lmStudio)), expected);
});

test("an LM Studio without an interface of its own is offered by names", async () => {
  const { "/v1/models": plain } = lmStudio;
  // It answers paths it does not know with status 200.
  const told = await found("lmstudio", {
    "/api/v0/models": { error: "Unexpected endpoint or method. (GET /api/v0/models)" },
    "/v1/models": plain ?? null,
  });
  const named = { name: "qwen2-vl-7b", isLoaded: false, knowledge: {}, windowMayBeLess: false };
  assert.deepEqual(modelsOf(told), [named]);
});

test("llama.cpp says its window, and that its template has no place for tools", async () => {
  assert.deepEqual(modelsOf(await found("llamacpp", llamaCpp)), [
    {
      name: "smol.gguf",
      isLoaded: true,
      knowledge: { window: 16_384, tools: "text", images: "refused" },
      windowMayBeLess: false,
    },
  ]);
});

test("a llama.cpp that routes to several models says which is loaded; one that embeds is not offered", async () => {
  const routes = {
    "/v1/models": {
      data: [
        { id: "a", status: { value: "unloaded" } },
        { id: "b", status: { value: "loaded" }, meta: { n_ctx_train: 4096 } },
        { id: "vectors" },
      ],
      models: [{ model: "vectors", capabilities: ["embedding"] }],
    },
  };
  assert.deepEqual(modelsOf(await found("llamacpp", routes)), [
    { name: "b", isLoaded: true, knowledge: { window: 4096 }, windowMayBeLess: true },
    { name: "a", isLoaded: false, knowledge: {}, windowMayBeLess: false },
  ]);
});

test("vLLM says the window of each model", async () => {
  assert.deepEqual(modelsOf(await found("vllm", vllm)), [
    {
      name: "Qwen/Qwen3-Coder-30B",
      isLoaded: true,
      knowledge: { window: 40_960 },
      windowMayBeLess: false,
    },
  ]);
});

test("names that cannot be shown, and models that are none, are left out", async () => {
  const data = [
    7,
    null,
    {},
    { id: "" },
    { id: "a\u001b[2J" },
    { id: "x".repeat(300) },
    { id: " a" },
  ];
  assert.deepEqual(modelsOf(await found("vllm", { "/v1/models": { data } })), []);
});

const strange = [
  { title: "hangs", route: () => {}, trouble: { type: "silent" } },
  {
    title: "begins and hangs",
    route: (response) => response.write('{"data":['),
    trouble: { type: "silent" },
  },
  {
    title: "is a web page",
    route: (response) => response.setHeader("content-type", "text/html").end("<html></html>"),
    trouble: { type: "no_json", isHtml: true },
  },
  {
    title: "is half a JSON",
    route: (response) => response.end('{"data":'),
    trouble: { type: "no_json", isHtml: false },
  },
  { title: "is another JSON", route: { hello: "world" }, trouble: { type: "no_list" } },
  { title: "is a list of nothing known", route: [1, 2], trouble: { type: "no_list" } },
  {
    title: "is 10 MB of JSON",
    route: (response) => response.end(`{"data":"${"x".repeat(10_000_000)}"}`),
    trouble: { type: "too_large" },
  },
  {
    title: "is JSON that is nested too deeply",
    route: (response) => response.end(`${"[".repeat(50_000)}${"]".repeat(50_000)}`),
    trouble: { type: "no_json", isHtml: false },
  },
  {
    title: "sends on to elsewhere",
    route: (response) => response.writeHead(302, { location: "http://a:b@192.0.2.1/x" }).end(),
    trouble: { type: "redirect", to: "http://[secret]@192.0.2.1/x" },
  },
  {
    title: "wants a key",
    route: (response) => response.writeHead(401).end("{}"),
    trouble: { type: "locked", status: 401 },
  },
  {
    title: "is still loading",
    route: (response) => response.writeHead(503).end('{"error":{"message":"Loading model"}}'),
    trouble: { type: "status", status: 503 },
  },
] as const satisfies readonly {
  readonly title: string;
  readonly route: Routes[string];
  readonly trouble: object;
}[];

for (const { title, route, trouble } of strange) {
  test(`a server whose answer ${title} is said and harms nothing`, async () => {
    const began = performance.now();
    const routes = { "/api/tags": route, "/api/v0/models": route, "/v1/models": route };
    for (const provider of ["ollama", "lmstudio", "llamacpp", "vllm"]) {
      const withinMs = trouble.type === "silent" ? 200 : 5000;
      const server = await found(provider, routes, { withinMs });
      assert.deepEqual(server?.at === "trouble" ? server.trouble : server, trouble);
    }
    assert.ok(performance.now() - began < 5000);
  });
}

test("where nothing listens, and where something else does, no server is found", async () => {
  const other = createServer((socket) => socket.end("220 mail ready\r\n"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const place = { provider: "ollama", apiKey: null, headers: {} };
  const servers = await lookForServers(
    [
      { ...place, baseUrl: "http://127.0.0.1:1/v1" },
      { ...place, baseUrl: `http://127.0.0.1:${port}/v1` },
      { ...place, baseUrl: "nowhere" },
    ],
    { clock: systemClock(), withinMs: 500, env: {} },
  );
  other.close();
  assert.deepEqual(
    servers.map(({ at }) => at),
    ["absent", "absent", "trouble"],
  );
});

test("a key and headers go along, and no further than the server", async () => {
  let heard: unknown;
  await using server = await serveRoutes({
    "/v1/models": (response) => {
      heard = [response.req.headers.authorization, response.req.headers["x-own"]];
      response.writeHead(403).end("{}");
    },
  });
  const place = {
    provider: "vllm",
    baseUrl: server.url,
    apiKey: "sk-own",
    headers: { "x-own": "7" },
  };
  const servers = await lookForServers([place], { clock: systemClock(), withinMs: 500, env: {} });
  assert.deepEqual(heard, ["Bearer sk-own", "7"]);
  assert.ok(!JSON.stringify(servers).includes("sk-own"));
});
