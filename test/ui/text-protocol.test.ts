import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import type { RecordedRequest } from "#adapters/models/scripted";
import type { JsonObject } from "#core";
import { type Desk, desk } from "./pawl.ts";

const script = {
  tools: "text",
  turns: [
    { text: "I look first.", calls: [{ tool: "read", input: { path: "greet.js" } }] },
    {
      calls: [
        {
          tool: "edit",
          input: { path: "greet.js", old_text: "'Hello'", new_text: "'Hello </b> & <i>' + name" },
        },
        { tool: "bash", input: { command: "node greet.js && echo fine >&2" } },
      ],
    },
    { text: "It greets by name now." },
    { text: "As I said." },
  ],
} as const;

const files = {
  "greet.js": "const name = 'Pawl';\nconsole.log('Hello');\n",
  "greet.js, edited": "const name = 'Pawl';\nconsole.log('Hello </b> & <i>' + name);\n",
};

const go = ["-p", "--permission-mode", "bypass"];

/** Requests to the model; its server is asked what it has as well. */
const asked = ({ server }: Desk): readonly RecordedRequest[] =>
  server.requests.filter(({ method }) => method === "POST");

/** The conversation of the last request. */
function lastAsked(at: Desk): readonly JsonObject[] {
  const messages = asked(at).at(-1)?.body["messages"];
  assert.ok(Array.isArray(messages));
  return messages as readonly JsonObject[];
}

test("R106 a task with a model that knows no tools, over a socket, and on after a restart", async () => {
  await using at = await desk(script);
  await writeFile(join(at.folder, "greet.js"), files["greet.js"]);
  await mkdir(at.home, { recursive: true });
  const models = { "small:1b": { tools: "text", window: 32_000 } };
  const settings = { providers: { ollama: { baseUrl: `${at.server.url}/v1`, models } } };
  await writeFile(join(at.home, "config.jsonc"), JSON.stringify(settings));
  const env = { PAWL_MODEL: "ollama/small:1b" };
  const first = await at.run([...go, "Greet by name"], { env });
  assert.deepEqual([first.code, first.stdout], [0, "It greets by name now.\n"], first.stderr);
  assert.equal(await readFile(join(at.folder, "greet.js"), "utf8"), files["greet.js, edited"]);
  assert.match(JSON.stringify(lastAsked(at).at(-1)), /Hello <\/b> & <i>Pawl/);
  const second = await at.run([...go, "-c", "And?"], { env });
  assert.deepEqual([second.code, second.stdout], [0, "As I said.\n"], second.stderr);
  assert.deepEqual(
    asked(at).map(({ turn, problems }) => [turn, problems]),
    [0, 1, 2, 3].map((turn) => [turn, []]),
  );
  assert.ok(asked(at).every(({ body }) => body["tools"] === undefined));
  assert.deepEqual(
    lastAsked(at).map(({ role }) => role),
    ["system", "user", "assistant", "user", "assistant", "user", "assistant", "user"],
  );
  const texts = asked(at).map(({ bodyText }) => bodyText.slice(0, bodyText.lastIndexOf('],"')));
  for (const [index, text] of texts.entries()) {
    assert.ok(
      (texts[index + 1] ?? text).startsWith(text),
      `request ${index + 1} begins as ${index}`,
    );
  }
});

test("R106 the same model from a file, without a socket", async () => {
  await using at = await desk();
  await writeFile(join(at.folder, "greet.js"), files["greet.js"]);
  await writeFile(join(at.folder, "script.json"), JSON.stringify(script));
  const ended = await at.run([...go, "-m", "scripted/script.json", "Greet by name"]);
  assert.deepEqual([ended.code, ended.stdout], [0, "It greets by name now.\n"], ended.stderr);
  assert.equal(await readFile(join(at.folder, "greet.js"), "utf8"), files["greet.js, edited"]);
});

test("a model of Ollama's library that knows no tools is asked in text by itself", async () => {
  await using at = await desk(script);
  await writeFile(join(at.folder, "greet.js"), files["greet.js"]);
  const where = ["--base-url", `${at.server.url}/v1`];
  const ended = await at.run([...go, "-m", "ollama/gemma3:4b", ...where, "Greet by name"]);
  assert.deepEqual([ended.code, ended.stdout], [0, "It greets by name now.\n"], ended.stderr);
});

test("a model that refuses tools says so when nobody has said that it knows none", async () => {
  await using at = await desk(script);
  const ended = await at.run([...go, "-m", "ollama/x", "--base-url", `${at.server.url}/v1`, "go"]);
  assert.equal(ended.code, 1);
  assert.match(
    ended.stderr,
    /x does not support tools\. .*"tools": "text" .*providers\.NAME\.models/,
  );
  const chinese = await at.run([
    ...go,
    "-m",
    "ollama/x",
    "--lang",
    "zh-CN",
    "--base-url",
    `${at.server.url}/v1`,
    "go",
  ]);
  assert.match(chinese.stderr, /x does not support tools。.*providers\.NAME\.models 中为它设/);
});
