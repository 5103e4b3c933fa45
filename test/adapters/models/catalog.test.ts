import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { cheapestInputUsd, costUsd, lookUpModel, modelFacts } from "#adapters/models";

const usage = { input: 1000, output: 1000, cacheRead: 1000, cacheWrite: 1000 };

test("a known model has its window, its output limit and its price", () => {
  assert.deepEqual(lookUpModel("anthropic/claude-haiku-4-5"), {
    known: true,
    window: 200_000,
    maxOutputTokens: 64_000,
    price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    tools: "native",
    images: "taken",
    thinking: "budget",
  });
});

test("a dated name is the same model; a longer name is not the shorter one", () => {
  const plain = lookUpModel("anthropic/claude-sonnet-4-5");
  assert.deepEqual(lookUpModel("anthropic/claude-sonnet-4-5-20250929"), plain);
  assert.notDeepEqual(
    lookUpModel("anthropic/claude-opus-5-5").price,
    lookUpModel("anthropic/claude-opus-5").price,
  );
  assert.deepEqual(lookUpModel("openai/gpt-5-2025-08-07").price, lookUpModel("openai/gpt-5").price);
});

test("what is not known is null, never 0", () => {
  for (const ref of ["anthropic/claude-none", "ollama/qwen", "x", "", "__proto__/constructor"]) {
    assert.deepEqual(lookUpModel(ref), {
      known: false,
      window: null,
      maxOutputTokens: null,
      price: null,
      tools: "native",
      images: "taken",
      thinking: ref.startsWith("anthropic/") ? "budget" : "reasoning_effort",
    });
  }
  assert.equal(costUsd(null, usage), null);
  assert.equal(cheapestInputUsd(null), null);
});

test("every kind of token has its own price; one without costs what input costs", () => {
  const price = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 };
  assert.equal(costUsd(price, usage), (10 + 50 + 1 + 12.5) / 1000);
  assert.equal(costUsd({ ...price, cacheRead: null, cacheWrite: null }, usage), 0.08);
  assert.equal(cheapestInputUsd(price), 1 / 1e6);
  assert.equal(cheapestInputUsd({ ...price, cacheRead: null }), 10 / 1e6);
});

test("a long request is billed at the long rates as a whole", () => {
  const rates = { input: 2, output: 10, cacheRead: 1, cacheWrite: 2 };
  const price = {
    input: 1,
    output: 5,
    cacheRead: 0.5,
    cacheWrite: 1,
    long: { aboveTokens: 2999, rates },
  };
  assert.equal(costUsd(price, usage), (2 + 10 + 1 + 2) / 1000);
  assert.equal(costUsd(price, { ...usage, cacheRead: 999 }), (1 + 5 + 0.4995 + 1) / 1000);
});

test("the user knows better than the table", () => {
  const price = { input: 0, output: 0, cacheRead: null, cacheWrite: null };
  const overrides = {
    "ollama/qwen": { window: 32_000, price },
    "anthropic/claude-haiku-4-5": { window: 9 },
  };
  assert.deepEqual(lookUpModel("ollama/qwen", overrides), {
    known: true,
    window: 32_000,
    maxOutputTokens: null,
    price,
    tools: "native",
    images: "taken",
    thinking: "reasoning_effort",
  });
  const facts = modelFacts("anthropic/claude-haiku-4-5", { cwd: "/", overrides });
  assert.equal(facts.window, 9);
  assert.equal(facts.maxOutputTokens, 64_000);
});

test("the table is what its sources give", () => {
  const script = join(import.meta.dirname, "../../../scripts/models/index.ts");
  execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" });
});
