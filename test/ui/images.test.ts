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

const problems = ({ server }: Desk): readonly string[] =>
  server.requests.flatMap((request) => request.problems);

for (const { title, env } of wires) {
  test(`${title}: an image in the prompt and one that read shows are scaled, and stay the same bytes`, async () => {
    const read = { tool: "read", input: { path: "wide.png" } };
    await using at = await desk([{ calls: [read] }, { text: "seen" }, { text: "still seen" }]);
    writeFileSync(join(at.folder, "wide.png"), png(2162, 40));
    writeFileSync(join(at.folder, "shot.jpg"), jpeg(64, 32));
    const url = [
      "--base-url",
      `${at.server.url}${title === "anthropic" || title === "gemini" ? "" : "/v1"}`,
    ];
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
