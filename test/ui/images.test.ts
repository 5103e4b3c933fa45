import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { jpeg, png, seen } from "../adapters/images/made.ts";
import { desk, type Desk, type StartOptions } from "./pawl.ts";

const key = "sk-test-000000000000000000000000";
const wires: readonly { readonly title: string; readonly env: NonNullable<StartOptions["env"]> }[] =
  [
    { title: "anthropic", env: {} },
    { title: "openai", env: { PAWL_MODEL: "openai/gpt-6.1-sol", OPENAI_API_KEY: key } },
    { title: "gemini", env: { PAWL_MODEL: "gemini/gemini-3.8-flash", GEMINI_API_KEY: key } },
    { title: "chat", env: { PAWL_MODEL: "openai-compatible/qwen3-vl" } },
  ];

/** The images a request holds, wherever the wire puts them. */
const imagesIn = (body: unknown): readonly string[] =>
  [
    ...JSON.stringify(body).matchAll(/"(?:data:image\/\w+;base64,)?((?:iVBOR|\/9j\/)[\w+/=]+)"/g),
  ].map(([, data = ""]) => data);

const widths = (body: unknown): readonly number[] =>
  imagesIn(body).map((data) => seen(Buffer.from(data, "base64")).width);

const baseUrl = ({ server }: Desk, wire: string): string =>
  wire === "openai" || wire === "chat" ? `${server.url}/v1` : server.url;

const problems = ({ server }: Desk): readonly string[] =>
  server.requests.flatMap((request) => request.problems);

for (const { title, env } of wires) {
  test(`${title}: an image in the prompt and one that read shows are scaled, and stay the same bytes`, async () => {
    const read = { tool: "read", input: { path: "wide.png" } };
    await using at = await desk([{ calls: [read] }, { text: "seen" }, { text: "still seen" }]);
    writeFileSync(join(at.folder, "wide.png"), png(2162, 40));
    writeFileSync(join(at.folder, "shot.jpg"), jpeg(64, 32));
    const url = ["--base-url", baseUrl(at, title)];
    const first = await at.run(["-p", "what is in @shot.jpg?", ...url], { env });
    assert.deepEqual([first.code, first.stdout], [0, "seen\n"], first.stderr);
    const second = await at.run(["-p", "-c", "and now?", ...url], { env });
    assert.deepEqual([second.code, second.stdout], [0, "still seen\n"], second.stderr);
    assert.deepEqual(problems(at), []);
    const bodies = at.server.requests.map(({ body }) => body);
    assert.deepEqual(bodies.map(widths), [[64], [64, 2000], [64, 2000]]);
    assert.deepEqual(imagesIn(bodies[2]), imagesIn(bodies[1]));
    const folder = join(at.home, "sessions");
    const journal = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("journal.jsonl"))
      .map((path) => readFileSync(join(folder, path), "utf8"))
      .join("");
    assert.ok(!/iVBOR|\/9j\//.test(journal));
  });
}

const refusals: Readonly<Record<string, object>> = {
  anthropic: {
    type: "error",
    error: { type: "invalid_request_error", message: "Could not process image" },
  },
  openai: {
    error: { type: "invalid_request_error", code: "invalid_image_format", message: "No." },
  },
  gemini: {
    error: { code: 400, message: "Provided image is not valid.", status: "INVALID_ARGUMENT" },
  },
  chat: { error: { code: 400, message: "Failed to load image or audio file" } },
};

for (const { title, env } of wires) {
  test(`[W08] ${title}: an image that the server refuses is left out, and the session goes on`, async () => {
    const fault = {
      type: "status",
      status: 400,
      headers: {},
      body: refusals[title] ?? {},
    } as const;
    await using at = await desk([{ fault, text: "without" }, { text: "with" }]);
    writeFileSync(join(at.folder, "a.png"), png(4, 2));
    const url = ["--base-url", baseUrl(at, title)];
    const first = await at.run(["-p", "see @a.png", ...url], { env });
    assert.deepEqual([first.code, first.stdout], [0, "without\n"], first.stderr);
    assert.match(first.stderr, /An image was refused\. Images so far are left out/);
    writeFileSync(join(at.folder, "a.png"), png(6, 2));
    const second = await at.run(["-p", "-c", "and @a.png?", ...url], { env });
    assert.deepEqual([second.code, second.stdout], [0, "with\n"], second.stderr);
    assert.deepEqual(problems(at), []);
    assert.deepEqual(
      at.server.requests.map(({ body }) => widths(body)),
      [[4], [], [6]],
    );
  });
}

test("a model that takes no images gets notes, the user is told once, and another model sees the images", async () => {
  await using at = await desk([{ text: "blind" }, { text: "still blind" }, { text: "seen" }]);
  writeFileSync(join(at.folder, "a.png"), png(4, 2));
  const url = ["--base-url", baseUrl(at, "chat")];
  const blind = { PAWL_MODEL: "openai-compatible/deepseek-v4" };
  const first = await at.run(["-p", "see @a.png", ...url], { env: blind });
  assert.deepEqual([first.code, first.stdout], [0, "blind\n"], first.stderr);
  assert.equal(first.stderr.split("takes no images").length, 2, first.stderr);
  await at.run(["-p", "-c", "and now?", ...url], { env: blind });
  const last = await at.run(["-p", "-c", "you?", "-m", "openai-compatible/qwen3-vl", ...url]);
  assert.deepEqual([last.code, last.stdout], [0, "seen\n"], last.stderr);
  assert.deepEqual(
    at.server.requests.map(({ body }) => widths(body)),
    [[], [], [4]],
  );
  assert.match(JSON.stringify(at.server.requests[1]?.body), /An image stands here/);
});
