import assert from "node:assert/strict";
import { test } from "node:test";

import { type ScriptedTurn, startScriptedServer } from "#adapters/models/scripted";
import { type Entry, fold, type Usage } from "#core";
import { desk, jsonLines } from "./pawl.ts";

/** USD for a million tokens of both models below, and above 200,000 tokens of input. */
const rates = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const longRates = { input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 };

/** What a usage block costs, by hand. */
function usd({ input, output, cacheRead, cacheWrite }: Usage): number {
  const rate = input + cacheRead + cacheWrite > 200_000 ? longRates : rates;
  const sum = input * rate.input + output * rate.output;
  return (sum + cacheRead * rate.cacheRead + cacheWrite * rate.cacheWrite) / 1e6;
}

const usage = (input: number, output: number, cached: readonly [number, number]): Usage => ({
  input,
  output,
  cacheRead: cached[0],
  cacheWrite: cached[1],
});

const time = { tool: "time", input: {} };

/** What the server answers, request by request: the whole run. */
const turns: readonly ScriptedTurn[] = [
  { text: "refused before anything is billed", fault: { type: "status", status: 529 } },
  {
    text: "a reply that is cut off",
    usage: usage(10, 40, [2000, 500]),
    fault: { type: "cut", events: 5 },
  },
  { text: "two calls", calls: [time, time], usage: usage(20, 60, [2500, 300]) },
  {
    text: "a call that cannot be read",
    calls: [{ ...time, inputText: "{" }],
    usage: usage(30, 70, [2800, 200]),
  },
  { text: "first answer", usage: usage(40, 80, [3000, 0]) },
  { text: "the summary", usage: usage(50, 900, [3000, 100]) },
  {
    text: "an answer that is stopped",
    usage: usage(60, 50, [0, 1500]),
    fault: { type: "stall", events: 6 },
  },
  { text: "second answer", usage: usage(1000, 100, [250_000, 0]) },
];

/** The wire says what a request took before its reply begins, or only at the end of all. */
const wires = [
  { model: "anthropic/claude-sonnet-4-5", path: "", told: "at_the_beginning" },
  { model: "openrouter/anthropic/claude-sonnet-4.5", path: "/v1", told: "at_the_end" },
] as const;

for (const { model, path, told } of wires) {
  test(`the ledger is the sum of the usage blocks, with a retry, a stop, an unreadable call and a compaction: ${model}`, async () => {
    await using at = await desk();
    await using server = await startScriptedServer({ turns, checks: "light" });
    const streams = [
      "-p",
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
      "--include-signals",
    ];
    const running = at.start([...streams, "-m", model, "--base-url", `${server.url}${path}`], {
      env: { OPENROUTER_API_KEY: "sk-test" },
    });
    const send = (command: object): void => running.press(`${JSON.stringify(command)}\n`);
    send({ type: "prompt", text: "go" });
    await running.until('"outcome":"completed"');
    send({ type: "compact" });
    await running.until('"context.compacted"');
    send({ type: "prompt", text: "more" });
    await running.until('"signal":{"type":"text"');
    send({ type: "interrupt", now: true });
    await running.until('"outcome":"interrupted"');
    send({ type: "prompt", text: "and the rest" });
    await running.until('"outcome":"completed"');
    running.child.stdin?.end();
    const lines = jsonLines((await running.ended).stdout);
    const entries = lines.filter((line) => "fact" in line) as unknown as readonly Entry[];
    assert.equal(server.requests.length, turns.length);

    const [, cut, ...whole] = turns.flatMap((turn) => turn.usage ?? [usage(0, 0, [0, 0])]);
    const stopped = whole.splice(4, 1);
    // Of a reply that breaks off Anthropic has told the input and one token of output, the other wire nothing.
    const broken = [cut, ...stopped].map((one) => ({ ...usage(0, 0, [0, 0]), ...one, output: 1 }));
    const blocks = told === "at_the_beginning" ? [...whole, ...broken] : whole;
    const expected = blocks as readonly Usage[];
    const sum = (of: (one: Usage) => number): number =>
      expected.map(of).reduce((total, one) => total + one, 0);

    const { budget } = fold(entries).state;
    assert.deepEqual(budget.usage, {
      input: sum(({ input }) => input),
      output: sum(({ output }) => output),
      cacheRead: sum(({ cacheRead }) => cacheRead),
      cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    });
    assert.ok(Math.abs(budget.costUsd - sum(usd)) < 1e-9, `${budget.costUsd} ${sum(usd)}`);
    const facts = entries.flatMap(({ fact }) =>
      fact.type === "response.received" || fact.type === "request.failed"
        ? [fact.costUsd ?? 0]
        : [],
    );
    assert.ok(Math.abs(facts.reduce((total, one) => total + one, 0) - sum(usd)) < 1e-9);
    const last = lines.at(-1) as { readonly usage?: unknown; readonly cost_usd?: number };
    assert.deepEqual(last.usage, { input: 1000, output: 100, cache_read: 250_000, cache_write: 0 });
    assert.ok(Math.abs((last.cost_usd ?? 0) - usd(usage(1000, 100, [250_000, 0]))) < 1e-9);
  });
}

test("what came from the cache is shown: while it runs, in show, and to programs", async () => {
  await using at = await desk([{ text: "done", usage: usage(100, 7, [900, 50]) }]);
  const ran = await at.run(["-p", "-v", "--output-format", "json", "go"]);
  assert.match(ran.stderr, /turn 1: 1050 tokens in \(900 from the cache\), 7 out, \$0\.0009/);
  const [result] = jsonLines(ran.stdout);
  const cached = { input: 100, output: 7, cache_read: 900, cache_write: 50 };
  assert.deepEqual(result?.["usage"], cached);
  const shown = await at.run(["show", String(result?.["session_id"])]);
  assert.match(shown.stdout, /reply \(end_turn; 1050 tokens in \(900 from the cache\), 7 out/);
});
