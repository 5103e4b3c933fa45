import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startScriptedServer } from "#testing";

import { codeLoaded, wireMarks, wiresIn } from "../../bench/loaded.ts";
import { ROOT } from "../../scripts/package-json.ts";

// `npm test` builds dist/ first.
const CHUNKS = join(ROOT, "dist", "bin", "chunks");
const chunks = new Map(
  readdirSync(CHUNKS)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(join(CHUNKS, name), "utf8")]),
);

/** Words that only the validator of answers, the intake of images and the wires hold. */
const marks = [
  "Duplicate schema URI",
  "it is no PNG, JPEG, GIF or WebP",
  ...Object.values(wireMarks),
];

const holding = (text: string): readonly string[] =>
  [...chunks].filter(([, code]) => code.includes(text)).map(([name]) => name);

/** The chunk and all that is loaded with it. */
function loadedWith(name: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const code = chunks.get(name) ?? "";
  for (const [, other = ""] of code.matchAll(/^(?:import|export)\b[^;]*"\.\/([^"]+)";/gm)) {
    loadedWith(other, seen);
  }
  return seen;
}

test("starting with a model loads no wire, no validator and nothing of images: each is loaded with its first request", () => {
  const starts = holding("names no model. Write PROVIDER/MODEL");
  assert.ok(starts.length > 0);
  const sees = [...chunks.keys()].some((name) => loadedWith(name).size > 1);
  assert.ok(sees, "the imports of a chunk were not seen");
  for (const start of starts) {
    const loaded = [...loadedWith(start)];
    for (const mark of marks) {
      const clients = holding(mark);
      assert.ok(clients.length > 0, `no client holds ${mark}`);
      assert.deepEqual(
        loaded.filter((name) => clients.includes(name)),
        [],
        mark,
      );
    }
  }
});

for (const [model, wire] of [
  ["anthropic/claude-sonnet-4-5", "anthropic"],
  ["openai/gpt-5.2", "openai-responses"],
  ["gemini/gemini-3-pro", "gemini"],
  ["openai-compatible/any", "openai-chat"],
] as const) {
  test(`a run with ${model} loads the wire it speaks and no other`, async () => {
    const home = mkdtempSync(join(tmpdir(), "pawl-test-"));
    await using server = await startScriptedServer({ turns: [{ text: "done" }] });
    const url = wire.startsWith("openai") ? `${server.url}/v1` : server.url;
    const code = await codeLoaded({
      args: ["--print", `--model=${model}`, `--base-url=${url}`, "Go."],
      cwd: home,
      env: { PAWL_HOME: home },
      listFile: join(home, "loaded.json"),
    });
    rmSync(home, { recursive: true });
    assert.deepEqual(wiresIn(code), [wire]);
  });
}
