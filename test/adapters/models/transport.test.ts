import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { isPawlError } from "#core";
import { anthropicClient, fakeClock, startScriptedServer } from "#testing";
import { ask, eventStream, okStream, request, serve } from "./asking.ts";
import { authority, leafCertificate, leafKey } from "./certificate.ts";

test("connections are kept: two requests, one socket", async () => {
  const sockets = new Set<unknown>();
  await using server = await serve((incoming, response) => {
    sockets.add(incoming.socket);
    incoming.resume();
    // The end of the body comes late, in a packet of its own.
    response
      .writeHead(200, eventStream)
      .write(okStream, () => setTimeout(() => response.end(), 20));
  });
  const client = server.client();
  assert.equal((await ask(client)).type, "end");
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal((await ask(client)).type, "end");
  assert.equal(sockets.size, 1);
});

test("a request is made ready once, and nothing is sent before its stream is read", async () => {
  await using server = await startScriptedServer({ turns: [{ text: "ok" }, { text: "ok" }] });
  const client = anthropicClient({ apiKey: null, baseUrl: server.url, clock: fakeClock() });
  client.prepare?.(request);
  await nextTurn();
  assert.equal(server.requests.length, 0);
  assert.equal((await ask(client)).type, "end");
  const another = { ...request, maxOutputTokens: 7 };
  client.prepare?.(request);
  assert.equal((await ask(client, { request: another })).type, "end");
  assert.deepEqual(
    server.requests.map(({ body }) => body["max_tokens"]),
    [1000, 7],
  );
});

for (const [encoding, compress] of [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
] as const) {
  test(`an answer in ${encoding} is read, whole or cut`, async () => {
    let cut = false;
    await using server = await serve((incoming, response) => {
      incoming.resume();
      const bytes = compress(okStream);
      response.writeHead(200, { ...eventStream, "content-encoding": encoding });
      if (!cut) return response.end(bytes);
      return response.write(bytes.subarray(0, bytes.length - 8), () => response.destroy());
    });
    assert.equal((await ask(server.client())).type, "end");
    cut = true;
    const last = await ask(server.client());
    // What the cut bytes held may be the whole reply already.
    assert.ok(last.type === "end" || last.failure.class === "truncated");
  });
}

test("compressed data that is damaged is a truncated reply", async () => {
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { ...eventStream, "content-encoding": "gzip" }).end("no gzip at all");
  });
  const last = await ask(server.client());
  assert.ok(last.type === "failure" && last.failure.class === "truncated");
});

test("nothing before the first byte is a stall after ten minutes, not before [V05]", async () => {
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, eventStream).flushHeaders();
  });
  let isOver = false;
  const asking = ask(server.client()).then((last) => {
    isOver = true;
    return last;
  });
  await server.clock.advance(9 * 60_000 + 50_000);
  assert.equal(isOver, false);
  await server.clock.advance(20_000);
  const last = await asking;
  assert.ok(last.type === "failure" && last.failure.class === "stall");
  assert.equal(server.clock.sleeping, 0);
});

test("a slow model is waited for: six minutes for its first word, half an hour for the rest [V05]", async () => {
  const words = okStream.split(/(?<=\n\n)/);
  const open: ServerResponse[] = [];
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, eventStream).flushHeaders();
    open.push(response);
  });
  const asking = ask(server.client());
  while (open.length === 0) await nextTurn();
  await server.clock.advance(6 * 60_000);
  const spaced = words.flatMap((word) => [word, ...Array.from({ length: 4 }, () => ": \n\n")]);
  for (const piece of spaced) {
    open[0]?.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await server.clock.advance(100_000);
  }
  open[0]?.end();
  assert.equal((await asking).type, "end");
});

test("pings are signs of life, for as long as they come [V04]", async () => {
  const answers: (() => void)[] = [];
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, eventStream).flushHeaders();
    answers.push(
      () => response.write(": ping\n\n"),
      () => response.end(okStream),
    );
  });
  const asking = ask(server.client());
  while (answers.length === 0) await nextTurn();
  for (let minute = 0; minute < 6; minute += 1) {
    answers[0]?.();
    await server.clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  answers[1]?.();
  assert.equal((await asking).type, "end");
  assert.equal(server.clock.sleeping, 0, "the watchdog ends with the reply");
});

test("a machine that slept is no silence [I04]", async () => {
  const answers: (() => void)[] = [];
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, eventStream).write(": hello\n\n");
    answers.push(() => response.end(okStream));
  });
  const asking = ask(server.client());
  while (answers.length === 0) await nextTurn();
  await server.clock.advance(60_000);
  server.clock.jump(8 * 3_600_000);
  await server.clock.advance(30_000);
  answers[0]?.();
  assert.equal((await asking).type, "end");
});

test("an interrupt before the request, while connecting and while streaming ends it within 50 ms [I02] R36", async () => {
  let requests = 0;
  await using server = await serve((incoming, response) => {
    requests += 1;
    incoming.resume();
    response.writeHead(200, eventStream).write(okStream.slice(0, 300));
  });
  const early = await ask(server.client(), { signal: AbortSignal.abort() });
  assert.ok(early.type === "failure" && early.failure.class === "aborted");
  assert.equal(requests, 0, "nothing was sent");
  const tookMs: number[] = [];
  for (const afterMs of [0, 30, 0, 30, 0, 30]) {
    const interrupt = new AbortController();
    const asking = ask(server.client(), { signal: interrupt.signal });
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const startMs = performance.now();
    interrupt.abort();
    const last = await asking;
    tookMs.push(performance.now() - startMs);
    assert.ok(last.type === "failure" && last.failure.class === "aborted");
  }
  // A busy machine may be late once, not each time.
  assert.ok(Math.min(...tookMs) < 50 && Math.max(...tookMs) < 500, tookMs.join());
});

test("a slow reader slows the server down, and is no silence", async () => {
  const big = "x".repeat(100_000);
  const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: big } };
  const piece = `data: ${JSON.stringify(delta)}\n\n`;
  let waited = false;
  const before = okStream.slice(0, okStream.indexOf('data: {"type":"content_block_delta"'));
  const after = okStream.slice(okStream.indexOf('data: {"type":"content_block_stop"'));
  async function answer(response: ServerResponse): Promise<void> {
    response.write(before);
    for (let count = 0; count < 200; count += 1) {
      if (response.write(piece)) continue;
      waited = true;
      await new Promise((resolve) => response.once("drain", resolve));
    }
    response.end(after);
  }
  await using server = await serve((incoming, response) => {
    incoming.resume();
    answer(response.writeHead(200, eventStream)).catch(() => response.destroy());
  });
  let chars = 0;
  let last = "";
  const { signal } = new AbortController();
  for await (const chunk of server.client().stream(request, { signal })) {
    if (chunk.type === "text") chars += chunk.delta.length;
    if (chars === 100_000) await server.clock.advance(30 * 60_000);
    last = chunk.type;
  }
  assert.equal(last, "end");
  assert.equal(chars, 200 * 100_000);
  assert.ok(waited);
});

test("what is no reply at all is said in one line", async () => {
  const table = [
    [
      200,
      { "content-type": "application/json" },
      '{"error":{"message":"no streams here"}}',
      "invalid_request",
      /without a stream.*no streams here/,
    ],
    [
      200,
      { "content-type": "text/html" },
      "<h1>Log in</h1><script>x</script>",
      "invalid_request",
      /without a stream: Log in/,
    ],
    [
      502,
      { "content-type": "text/html" },
      "<html><body><h1>502 Bad Gateway</h1></body></html>",
      "server",
      /answered 502: 502 Bad Gateway/,
    ],
    [504, {}, "", "server", /answered 504\./],
    [
      301,
      { location: "https://elsewhere.test/v1" },
      "",
      "invalid_request",
      /sends requests on to https:\/\/elsewhere\.test/,
    ],
    [304, {}, "", "invalid_request", /answered 304\. /],
    [413, {}, "", "context_overflow", /too long/],
    [
      400,
      { "content-type": "application/json" },
      "[".repeat(50_000),
      "invalid_request",
      /answered 400/,
    ],
  ] as const;
  let row = 0;
  await using server = await serve((incoming, response) => {
    incoming.resume();
    const [status, headers, body] = table[row] ?? [500, {}, ""];
    response.writeHead(status, headers).end(body);
  });
  for (const [, , , kind, says] of table) {
    const last = await ask(server.client());
    assert.ok(last.type === "failure");
    assert.equal(last.failure.class, kind);
    assert.match(last.failure.message, says);
    assert.ok(!last.failure.message.includes("\n") && last.failure.message.length < 700);
    row += 1;
  }
});

test("no secret gets into a message, wherever the server repeats it", async () => {
  const bearer = "Bearer abcdef-123456-secret";
  await using server = await serve((incoming, response) => {
    incoming.resume();
    const message = `bad key ${String(incoming.headers["x-api-key"])} or ${bearer} or abcdef-123456-secret or sk-ant-api03-${"x".repeat(40)}`;
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { type: "authentication_error", message } }));
  });
  const last = await ask(server.client({ headers: { Authorization: bearer } }));
  assert.ok(last.type === "failure");
  assert.equal(last.failure.class, "auth");
  assert.doesNotMatch(JSON.stringify(last), /sk-test-key|abcdef-123456|sk-ant/);
});

test("no secret of the base URL gets into a message", async () => {
  await using server = await serve((incoming, response) => {
    incoming.resume();
    const message = `no way in: ${incoming.url} ${incoming.headers.authorization}`;
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message } }));
  });
  const address = server.url.replace("://", "://somebody:p%40ssword@");
  const login = Buffer.from("somebody:p@ssword").toString("base64");
  const last = await ask(server.client({ baseUrl: `${address}/?key=hidden%2Bvalue&v=2026-01` }));
  assert.ok(last.type === "failure");
  assert.match(last.failure.message, /no way in: .*v=2026-01/);
  assert.ok(!last.failure.message.includes(login));
  assert.doesNotMatch(JSON.stringify(last), /hidden|ssword/);
});

test("a header with a name that none can have is told at once", async () => {
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.end();
  });
  const last = await ask(server.client({ headers: { "two words": "x" } }));
  assert.ok(last.type === "failure" && last.failure.class === "invalid_request");
  assert.match(last.failure.message, /header of the settings/);
});

test("an answer in another protocol than HTTP is a network failure, at once", async () => {
  await using server = await serveRaw(
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
  );
  const last = await ask(
    anthropicClient({ apiKey: null, baseUrl: server.url, clock: fakeClock() }),
  );
  assert.ok(last.type === "failure" && last.failure.class === "network");
  assert.match(last.failure.message, /closed before an answer/);
});

/** A server that answers every request with the same bytes. */
async function serveRaw(answer: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a key that no header can carry is refused before anything is sent", async () => {
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.end();
  });
  const last = await ask(server.client({ apiKey: "sk-test\nx" }));
  assert.ok(last.type === "failure" && last.failure.class === "auth");
  assert.match(last.failure.message, /API key/);
});

test("a server that is not there, and one that breaks off before it answers, are network failures", async () => {
  const clock = fakeClock();
  const gone = await serve(() => {});
  await gone[Symbol.asyncDispose]();
  const refused = await ask(anthropicClient({ apiKey: null, baseUrl: gone.url, clock }));
  assert.ok(refused.type === "failure" && refused.failure.class === "network");
  assert.match(refused.failure.message, /nothing listens there \(ECONNREFUSED\)/);
  await using rude = await serve((incoming) => incoming.socket.destroy());
  const broken = await ask(rude.client());
  assert.ok(broken.type === "failure" && broken.failure.class === "network");
});

test("an address that is none is refused when the client is made", () => {
  for (const baseUrl of ["", "api.anthropic.com", "ftp://x", "https://"]) {
    assert.throws(
      () => anthropicClient({ apiKey: null, baseUrl, clock: fakeClock() }),
      (error) => isPawlError(error, "invalid_base_url"),
    );
  }
});

test("the base URL may end in /v1 or a slash; the key and the version go along", async () => {
  const server = await startScriptedServer({ turns: [{ text: "ok" }] });
  const clock = fakeClock();
  for (const end of ["", "/", "/v1", "/v1/"]) {
    const client = anthropicClient({ apiKey: "sk-1", baseUrl: server.url + end, clock });
    assert.equal((await ask(client)).type, "end");
  }
  await server.close();
  assert.deepEqual(
    server.requests.map(({ path, headers }) => [path, headers["x-api-key"]]),
    Array.from({ length: 4 }, () => ["/v1/messages", "sk-1"]),
  );
  assert.equal(server.requests[0]?.headers["anthropic-version"], "2023-06-01");
});

async function tlsServer(): Promise<{ readonly port: number; close(): void }> {
  const server = createTlsServer({ key: leafKey, cert: leafCertificate }, (incoming, response) => {
    incoming.resume();
    response.writeHead(200, eventStream).end(okStream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => void server.close() };
}

test("a certificate nobody trusts fails at once, with the way out [V02]", async () => {
  const server = await tlsServer();
  const client = anthropicClient({
    apiKey: null,
    baseUrl: `https://127.0.0.1:${server.port}`,
    clock: fakeClock(),
    env: {},
  });
  const last = await ask(client);
  server.close();
  assert.ok(last.type === "failure" && last.failure.class === "tls");
  assert.match(last.failure.message, /NODE_EXTRA_CA_CERTS/);
});

/** A proxy that leads every name to this machine, and writes down what it was asked for. */
async function proxy(): Promise<{
  readonly url: string;
  readonly asked: readonly string[];
  close(): void;
}> {
  const asked: string[] = [];
  const server = createTcpServer((client: Socket) => {
    client.on("error", () => {});
    client.once("data", (head) => {
      const [, host = "", port = ""] = /^CONNECT ([^:\s]+):(\d+)/.exec(head.toString()) ?? [];
      asked.push(`${host}:${port}`);
      const upstream = connect(Number(port), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => void server.close() };
}

/** One request in a process of its own: extra authorities are read when Node starts. */
function askInChild(baseUrl: string, env: NodeJS.ProcessEnv): Promise<string> {
  const module = new URL("../../../src/adapters/models/anthropic/client.ts", import.meta.url).href;
  const code = `
    const { anthropicClient } = await import(${JSON.stringify(module)});
    const clock = { now: () => 0, monotonicMs: () => 0, sleep: () => new Promise(() => {}) };
    const client = anthropicClient({ apiKey: null, baseUrl: ${JSON.stringify(baseUrl)}, clock });
    const signal = new AbortController().signal;
    let last;
    for await (const chunk of client.stream(${JSON.stringify(request)}, { signal })) last = chunk;
    console.log(last.type, last.failure?.message ?? "");
  `;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      env: { PATH: process.env["PATH"], ...env },
    });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}

test("HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS are honoured [V01]", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-models-"));
  const file = join(folder, "authority.pem");
  writeFileSync(file, authority);
  const server = await tlsServer();
  const relay = await proxy();
  context.after(() => {
    server.close();
    relay.close();
    rmSync(folder, { recursive: true });
  });
  const env = { HTTPS_PROXY: relay.url, NODE_EXTRA_CA_CERTS: file };
  const named = `https://models.test:${server.port}`;
  assert.match(await askInChild(named, env), /^end/);
  assert.deepEqual(relay.asked, [`models.test:${server.port}`]);
  const direct = `https://localhost:${server.port}`;
  assert.match(await askInChild(direct, { ...env, NO_PROXY: "localhost" }), /^end/);
  assert.equal(relay.asked.length, 1, "NO_PROXY goes past the proxy");
});

test("a proxy that is no address, or of another kind, is refused when the client is made", () => {
  for (const HTTPS_PROXY of ["http://", "socks5://u:geheim@127.0.0.1:1", "http://[", ":"]) {
    assert.throws(
      () => anthropicClient({ apiKey: null, clock: fakeClock(), env: { HTTPS_PROXY } }),
      (error) => isPawlError(error, "invalid_proxy") && !error.message.includes("geheim"),
      HTTPS_PROXY,
    );
  }
});

test("a proxy without a scheme is one of plain HTTP, and not passed over [V01]", async (context) => {
  const relay = await proxy();
  context.after(() => relay.close());
  const { host } = new URL(relay.url);
  assert.match(await askInChild("https://models.test:9", { https_proxy: host }), /failure|network/);
  assert.deepEqual(relay.asked, ["models.test:9"]);
});

test("plain HTTP to this machine never takes the proxy", async () => {
  await using server = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(200, eventStream).end(okStream);
  });
  const env = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" };
  assert.equal((await ask(server.client({ env }))).type, "end");
});
