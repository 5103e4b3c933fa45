import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { authority, leafCertificate, leafKey } from "../adapters/models/certificate.ts";
import { ollama, serveRoutes } from "../adapters/models/local-servers.ts";
import { type Desk, desk } from "./pawl.ts";

const nowhere = "http://127.0.0.1:1/v1";

/** A home whose settings hold these addresses; nothing of this machine is looked at but what is named. */
async function withAddresses(at: Desk, addresses: Readonly<Record<string, string>>): Promise<void> {
  const urls = { ollama: nowhere, lmstudio: nowhere, llamacpp: nowhere, vllm: nowhere };
  const providers = Object.fromEntries(
    Object.entries({ ...urls, ...addresses }).map(([name, baseUrl]) => [name, { baseUrl }]),
  );
  await mkdir(at.home, { recursive: true });
  await writeFile(join(at.home, "config.jsonc"), JSON.stringify({ providers }));
}

test("doctor says what is ready, asks for no tokens and never shows a key", async () => {
  await using at = await desk();
  const { code, stdout, stderr } = await at.run(["doctor"]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /✓ Node: v/);
  assert.match(stdout, /✓ ripgrep: ripgrep/);
  assert.match(stdout, /• sandbox: none/);
  assert.match(stdout, /✓ proxy: none/);
  assert.match(stdout, /✓ model: anthropic\/claude-sonnet-4-5, key from ANTHROPIC_API_KEY/);
  assert.match(stdout, /✓ anthropic: http:\/\/127\.0\.0\.1:\d+, key from .*lets you in/);
  assert.doesNotMatch(stdout + stderr, /sk-test/);
  assert.deepEqual(
    at.server.requests.map(({ method, path, headers }) => [method, path, headers["x-api-key"]]),
    [["GET", "/v1/models", "sk-test-000000000000000000000000"]],
  );
});

test("doctor without a model or key says all the ways to get one", async () => {
  await using at = await desk();
  await withAddresses(at, {});
  const env = { PAWL_MODEL: undefined, ANTHROPIC_API_KEY: undefined };
  const { stdout } = await at.run(["doctor"], { env });
  assert.match(stdout, /• model: .*do:\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n {2}4\. .*pawl demo/);
  assert.match(stdout, /✗ ollama: http:\/\/127\.0\.0\.1:1\/v1: nothing answers there/);
});

test("doctor names the local model that would be used", async () => {
  await using at = await desk();
  await using local = await serveRoutes(ollama);
  await withAddresses(at, { ollama: local.url });
  const env = { PAWL_MODEL: undefined, ANTHROPIC_API_KEY: undefined };
  const { stdout } = await at.run(["doctor"], { env });
  assert.match(stdout, /✓ model: .*ollama\/llama3\.2-vision:latest is used/);
  assert.match(stdout, /✓ ollama: http.* offers 3 models/);
});

test("doctor fails when the local server does not offer the model that is set", async () => {
  await using at = await desk();
  await using local = await serveRoutes(ollama);
  await withAddresses(at, { ollama: local.url });
  const env = { ANTHROPIC_API_KEY: undefined };
  const wrong = await at.run(["doctor", "-m", "ollama/nope"], { env });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /✗ ollama: .*offers 3 models, but not "nope".*pawl models ollama/);
  const untagged = await at.run(["doctor", "-m", "ollama/phi"], { env });
  assert.match(untagged.stdout, /✓ ollama: /);
});

test("doctor fails when a provider does not answer, and asks nobody when offline", async () => {
  await using at = await desk();
  const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
  const { code, stdout } = await at.run(["doctor"], { env });
  assert.equal(code, 1);
  assert.match(stdout, /✗ anthropic: .*cannot be reached: .*ECONNREFUSED.*Check the address/);
  const offline = await at.run(["doctor", "--offline"], { env });
  assert.equal(offline.code, 0);
  assert.doesNotMatch(offline.stdout, /127\.0\.0\.1/);
});

const refusals = [
  {
    title: "a key that is refused",
    answer: {
      status: 401,
      body: '{"error":{"message":"invalid x-api-key sk-test-000000000000000000000000"}}',
    },
    says: /refuses the key from ANTHROPIC_API_KEY.*invalid x-api-key \[secret\]/,
  },
  {
    title: "a web page where the API should be",
    answer: { status: 200, body: "<html>welcome</html>" },
    says: /not this API, so the base URL is wrong. The usual one is https:\/\/api\.anthropic\.com/,
  },
  {
    title: "an address that is not there",
    answer: { status: 404, body: '{"error":"no such path"}' },
    says: /\(404\) is not this API/,
  },
  {
    title: "a redirect, which is not followed",
    answer: { status: 301, body: "", location: "https://elsewhere.example/" },
    says: /sends requests on to https:\/\/elsewhere\.example\//,
  },
];

for (const { title, answer, says } of refusals) {
  test(`doctor says what is wrong and what to do: ${title}`, async () => {
    await using at = await desk();
    await using server = await serveRoutes({
      "/v1/models": (response) => {
        const { location } = answer;
        response.writeHead(answer.status, location === undefined ? {} : { location });
        response.end(answer.body);
      },
    });
    const env = { ANTHROPIC_BASE_URL: server.url.replace("//", "//name:geheim@") };
    const { code, stdout, stderr } = await at.run(["doctor"], { env });
    assert.equal(code, 1);
    assert.match(stdout, says);
    assert.doesNotMatch(stdout + stderr, /sk-test|geheim/);
  });
}

test("doctor says that a certificate is not trusted, and trusts it when told to [V02]", async (context) => {
  await using at = await desk();
  const server = createServer({ key: leafKey, cert: leafCertificate }, (_, response) =>
    response.end('{"data":[]}'),
  );
  context.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { ANTHROPIC_BASE_URL: `https://localhost:${port}` };
  const distrusted = await at.run(["doctor"], { env });
  assert.match(distrusted.stdout, /✗ anthropic: .*certificate is not trusted.*NODE_EXTRA_CA_CERTS/);
  const file = join(at.folder, "authority.pem");
  await writeFile(file, authority);
  const trusted = await at.run(["doctor"], { env: { ...env, NODE_EXTRA_CA_CERTS: file } });
  assert.match(trusted.stdout, /✓ certificates: .*authority\.pem/);
  assert.match(trusted.stdout, /✓ anthropic: .*lets you in/);
});

const ways = [
  {
    env: { HTTPS_PROXY: "http://u:geheim@127.0.0.1:3128", NO_PROXY: "localhost" },
    says: /✓ proxy: HTTPS_PROXY http:\/\/…@127\.0\.0\.1:3128, NO_PROXY localhost/,
  },
  {
    env: { https_proxy: "127.0.0.1:3128" },
    says: /✓ proxy: HTTPS_PROXY http:\/\/127\.0\.0\.1:3128/,
  },
  {
    env: { HTTPS_PROXY: "socks5://u:geheim@127.0.0.1:1" },
    says: /✗ proxy: HTTPS_PROXY is no address of an HTTP proxy/,
  },
  { env: { ALL_PROXY: "http://127.0.0.1:1" }, says: /✗ proxy: ALL_PROXY is set and not used/ },
  {
    env: { NODE_EXTRA_CA_CERTS: "/nowhere.pem" },
    says: /✗ certificates: .*\/nowhere\.pem, which cannot be read/,
  },
  {
    env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    says: /✗ certificates: .*no certificate is checked/,
  },
];

test("doctor reads the way to the providers off the environment", async () => {
  await using at = await desk();
  const said = await Promise.all(
    ways.map(({ env }) => at.run(["doctor", "--offline"], { env: { ...env } })),
  );
  for (const [index, { says }] of ways.entries()) {
    assert.match(said[index]?.stdout ?? "", says);
    assert.doesNotMatch(said[index]?.stdout ?? "", /geheim/);
  }
  const chinese = await at.run(["doctor", "--offline", "--lang", "zh-CN"]);
  assert.match(chinese.stdout, /✓ 代理服务器: 没有设置/);
});
