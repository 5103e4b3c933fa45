import assert from "node:assert/strict";
import { test } from "node:test";

import { ollamaBaseUrl } from "../../src/app/config/ollama-host.ts";

const forms: readonly (readonly [written: string, url: string | null])[] = [
  ["", null],
  ["127.0.0.1", "http://127.0.0.1:11434/v1"],
  ["127.0.0.1:8000", "http://127.0.0.1:8000/v1"],
  [":8000", "http://127.0.0.1:8000/v1"],
  ["0.0.0.0", "http://127.0.0.1:11434/v1"],
  ["0.0.0.0:1", "http://127.0.0.1:1/v1"],
  ["[::]:1", "http://[::1]:1/v1"],
  ["big.example", "http://big.example:11434/v1"],
  ["http://big.example", "http://big.example/v1"],
  ["https://big.example:443/ollama/", "https://big.example/ollama/v1"],
  ['"127.0.0.1:80"', "http://127.0.0.1/v1"],
  ["http://[", null],
  ["::::", null],
];

test("OLLAMA_HOST is read as Ollama reads it", () => {
  for (const [written, url] of forms) assert.equal(ollamaBaseUrl(written), url, written);
});
