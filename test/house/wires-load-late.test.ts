import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../../scripts/package-json.ts";

// `npm test` builds dist/ first.
const CHUNKS = join(ROOT, "dist", "bin", "chunks");
const chunks = new Map(
  readdirSync(CHUNKS)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(join(CHUNKS, name), "utf8")]),
);

/** Words that only the client of a wire holds, and the validator of answers. */
const marks = [
  "Duplicate schema URI",
  "anthropic-version",
  "/chat/completions",
  "streamGenerateContent",
  "/responses",
  "# How to call a tool",
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

test("starting with a model loads no wire and no validator: each is loaded with its first request", () => {
  const starts = holding("names no model. Write PROVIDER/MODEL");
  assert.ok(starts.length > 0);
  for (const start of starts) {
    const loaded = [...loadedWith(start)];
    assert.ok(loaded.length > 1, "the imports of a chunk were not seen");
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
