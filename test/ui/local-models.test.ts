import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { ollama, type Routes, serveRoutes } from "../adapters/models/local-servers.ts";
import { type Desk, desk, jsonLines } from "./pawl.ts";

const nowhere = "http://127.0.0.1:1/v1";

/** Nothing is set but where servers of this machine are; those that are not named are nowhere. */
async function withServers(
  at: Desk,
  servers: Readonly<Record<string, string>>,
): Promise<{ readonly env: Readonly<Record<string, undefined>> }> {
  const urls = { ollama: nowhere, lmstudio: nowhere, llamacpp: nowhere, vllm: nowhere, ...servers };
  const providers = Object.fromEntries(
    Object.entries(urls).map(([name, baseUrl]) => [name, { baseUrl }]),
  );
  await mkdir(at.home, { recursive: true });
  await writeFile(join(at.home, "config.jsonc"), JSON.stringify({ providers }));
  return {
    env: { PAWL_MODEL: undefined, ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined },
  };
}

test("with no key and no model the first model of a server of this machine is used, and named", async () => {
  await using at = await desk([{ text: "done by a local model" }]);
  const options = await withServers(at, { vllm: `${at.server.url}/v1` });
  const { code, stdout, stderr } = await at.run(["-p", "go"], options);
  assert.deepEqual([code, stdout], [0, "done by a local model\n"]);
  assert.match(
    stderr,
    /vllm\/scripted is used, found at http:\/\/127\.0\.0\.1:\d+\/v1\. To keep it/,
  );
});

test("where no server answers, five lines say what can be done, and strange servers are named", async () => {
  await using at = await desk();
  await using page = await serveRoutes({
    "/v1/models": (response) => response.setHeader("content-type", "text/html").end("<p>"),
  });
  await using loading = await serveRoutes({
    "/v1/models": (response) => response.writeHead(503).end("{}"),
  });
  const options = await withServers(at, { llamacpp: loading.url, lmstudio: page.url });
  const { code, stderr } = await at.run(["-p", "go"], options);
  assert.equal(code, 2);
  const lines = stderr.slice(stderr.indexOf("pawl:")).trim().split("\n");
  assert.match(lines.slice(0, 5).join("\n"), /1\. a key.*\n.*2\. a local server.*\n.*3\..*\n.*4\./);
  assert.match(lines[5] ?? "", /^! lmstudio: http.* answers with a web page/);
  assert.match(lines[6] ?? "", /^! llamacpp: http.* status 503/);
  assert.equal(lines.length, 7);
});

test("a server that never answers holds up the start for a moment only", async () => {
  await using at = await desk();
  await using silent = await serveRoutes({ "/v1/models": () => {} });
  const options = await withServers(at, { vllm: silent.url });
  const began = performance.now();
  const { code, stderr } = await at.run(["-p", "go"], options);
  assert.equal(code, 2);
  assert.match(stderr, /! vllm: .*did not answer in time/);
  assert.ok(performance.now() - began < 5000);
});

test("whoever has a key is not looked around for", async () => {
  await using at = await desk();
  let asked = 0;
  await using local = await serveRoutes({ "/api/tags": () => (asked += 1) });
  await withServers(at, { ollama: local.url });
  assert.equal((await at.run(["-p", "go"])).code, 0);
  assert.equal(asked, 0);
});

test("on a terminal the only model found is used; of several one is chosen", async () => {
  await using at = await desk([{ text: "the answer" }]);
  await using other = await serveRoutes(ollama);
  const several = await withServers(at, { ollama: other.url, vllm: at.server.url });
  const choosing = at.type([], several);
  await choosing.until(" 1  ollama/llama3.2-vision:latest  65536, loaded");
  await choosing.until(" 3  ollama/phi:latest  2048, calls as text");
  await choosing.until("Which model?");
  choosing.press("9\r");
  await choosing.until("Which model?");
  choosing.press("vllm/scripted\r");
  choosing.press("go\r");
  await choosing.until("the answer");
  await choosing.until("› ");
  choosing.press("/exit\r");
  assert.equal((await choosing.ended).code, 0);
  const one = at.type([], await withServers(at, { vllm: at.server.url }));
  await one.until("vllm/scripted is used");
  one.press("go\r");
  await one.until("the answer");
  await one.until("› ");
  one.press("/exit\r");
  assert.equal((await one.ended).code, 0);
});

test("whoever leaves at the question of a model leaves", async () => {
  await using at = await desk();
  await using other = await serveRoutes(ollama);
  const choosing = at.type([], await withServers(at, { ollama: other.url }));
  await choosing.until("Which model?");
  choosing.press("\u0004");
  assert.equal((await choosing.ended).code, 0);
});

test("a local model that is named is asked for its window; OLLAMA_HOST says where", async () => {
  await using at = await desk();
  await using local = await serveRoutes(ollama);
  const { env } = await withServers(at, {});
  const named = { env: { ...env, OLLAMA_HOST: new URL(local.url).host } };
  const ran = await at.run(
    ["-p", "-m", "ollama/phi", "--output-format", "stream-json", "go"],
    named,
  );
  const started = jsonLines(ran.stdout)[0] as {
    readonly fact?: { readonly agent?: { readonly window?: unknown } };
  };
  assert.equal(started.fact?.agent?.window, 2048);
  assert.match(ran.stderr, /ollama\/phi was made for 2048 tokens.*OLLAMA_CONTEXT_LENGTH/);
});

test("a local model that is loaded with a small window is named, in both languages", async () => {
  await using at = await desk();
  await using local = await serveRoutes({
    ...ollama,
    "/api/ps": { models: [{ name: "phi:latest", context_length: 4096 }] },
  });
  const { env } = await withServers(at, {});
  const named = { env: { ...env, OLLAMA_HOST: new URL(local.url).host } };
  const args = ["-p", "-m", "ollama/phi", "--max-time", "1s", "go"];
  const { stderr } = await at.run(args, named);
  assert.match(stderr, /ollama\/phi is loaded with .* 4096 tokens, .*OLLAMA_CONTEXT_LENGTH=64000/);
  const chinese = await at.run([...args, "--lang", "zh-CN"], named);
  assert.match(chinese.stderr, /ollama\/phi 载入的窗口只有 4096 个 token/);
});

const listed = async (at: Desk, args: readonly string[], env: object): Promise<string> =>
  (await at.run(["models", ...args], { env: { ...env } })).stdout;

test("models lists what can be used now, and why the rest cannot", async () => {
  await using at = await desk();
  await using local = await serveRoutes(ollama);
  const routes: Routes = { "/v1/models": (response) => response.writeHead(401).end("{}") };
  await using locked = await serveRoutes(routes);
  const { env } = await withServers(at, { ollama: local.url, lmstudio: locked.url });
  const stdout = await listed(at, [], { ...env, DEEPSEEK_API_KEY: "sk-hidden-000000" });
  const [usable = "", unusable = ""] = stdout.split("Not usable now:");
  assert.match(usable, /^Usable now:\n {2}deepseek +key from DEEPSEEK_API_KEY, https/);
  assert.match(
    usable,
    /deepseek\/deepseek-v4-pro +window +\d+ .*\$[\d.]+ in, \$[\d.]+ out, cached/,
  );
  assert.match(usable, /ollama\/phi:latest +window +2048 .*price unknown; calls as text/);
  assert.match(unusable, /anthropic +no key: set ANTHROPIC_API_KEY \(\d+ models/);
  assert.match(unusable, /lmstudio +http.*wants a key \(401\)/);
  assert.match(unusable, /vllm +http:\/\/127\.0\.0\.1:1\/v1: nothing answers there/);
  assert.doesNotMatch(stdout, /sk-hidden/);
  assert.match(await listed(at, ["--lang", "zh-CN"], env), /现在不可用:\n {2}anthropic +没有密钥/);
});

test("models as JSON says the same in a stable order; a provider named is listed in full", async () => {
  await using at = await desk();
  const { env } = await withServers(at, {});
  const args = ["--output-format", "json", "--offline"];
  const [all, again] = [
    await listed(at, args, env),
    await listed(at, ["--json", "--offline"], env),
  ];
  assert.equal(all, again);
  const { providers } = JSON.parse(all);
  assert.deepEqual(
    providers.map(({ provider }: { readonly provider: string }) => provider).slice(0, 3),
    ["anthropic", "openai", "gemini"],
  );
  const { models: _, ...anthropic } = providers[0];
  assert.deepEqual(anthropic, {
    provider: "anthropic",
    keyFrom: null,
    baseUrl: "https://api.anthropic.com",
    usable: false,
    by: "key",
    why: "no key: set ANTHROPIC_API_KEY",
  });
  assert.match(await listed(at, ["anthropic"], env), /anthropic\/claude-haiku-4-5 +window +200000/);
  const wrong = await at.run(["models", "antropic"], { env });
  assert.deepEqual([wrong.code, /anthropic/.test(wrong.stderr)], [2, true]);
});
