import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, test } from "node:test";
import {
  callId,
  isToolUse,
  judgeReply,
  plainText,
  requestId,
  retryDelayMs,
  type AssistantBlock,
  type JsonObject,
  type ReplyBlock,
} from "#core";
import type { ModelChunk, ModelRequest } from "#runtime";
import {
  anthropicClient,
  fakeClock,
  startScriptedServer,
  type FakeClock,
  type Fault,
} from "#testing";
import { fixturesFolder, readJson } from "./fixtures.ts";

const folder = fixturesFolder();
const streams = folder === null ? null : join(folder, "streams", "anthropic");
const skip = streams === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;
const names =
  streams === null
    ? []
    : readdirSync(streams)
        .filter((name) => name.endsWith(".sse"))
        .map((name) => name.slice(0, -".sse".length));

interface Expectation {
  readonly outcome: string;
  readonly runnable: readonly string[];
  readonly expect: JsonObject & {
    readonly usage: Readonly<Record<string, number>>;
    readonly error?: { readonly type: string; readonly message: string };
    readonly stopDetails?: { readonly explanation: string | null };
  };
}

const request: ModelRequest = {
  model: "anthropic/asked-for",
  system: [],
  tools: [],
  toolChoice: "auto",
  messages: [{ role: "user", blocks: [{ type: "text", text: "Go." }], seq: 1 }],
  maxOutputTokens: 1000,
};

type Last = Extract<ModelChunk, { type: "end" | "failure" }>;

/** One answer of the wire, and what may become of it. */
interface Run {
  readonly title: string;
  readonly sse: Buffer;
  readonly fault: readonly Fault[];
  readonly check: (last: Last, chunks: readonly ModelChunk[]) => void;
  /** Moves the clock while the answer is awaited. */
  readonly meanwhile?: (clock: FakeClock) => Promise<void>;
}

async function play(runs: readonly Run[]): Promise<void> {
  const clock = fakeClock();
  await using server = await startScriptedServer({
    turns: runs.map(({ sse, fault }) => ({ sse, fault })),
    checks: "light",
    clock,
  });
  const client = anthropicClient({ apiKey: null, baseUrl: server.url, clock });
  for (const run of runs) {
    const chunks: ModelChunk[] = [];
    const reading = (async () => {
      const { signal } = new AbortController();
      for await (const chunk of client.stream(request, { signal })) chunks.push(chunk);
    })();
    await run.meanwhile?.(clock);
    await reading;
    const ends = chunks.filter((chunk) => chunk.type === "end" || chunk.type === "failure");
    assert.equal(ends.length, 1, `${run.title}: exactly one end`);
    const [last] = ends;
    assert.ok(last !== undefined && last === chunks.at(-1), `${run.title}: the end is last`);
    run.check(last, chunks);
  }
  assert.equal(clock.sleeping, 0, "no timer is left");
}

/** What came out, in the words of the fixtures. */
function seen(last: Last): Omit<Expectation, "expect"> & { readonly expect: object } {
  const blocks = last.type === "end" ? last.reply.blocks : last.blocks;
  const usage = last.type === "end" ? last.reply.usage : last.usage;
  const named = blocks.map((block, index): AssistantBlock =>
    block.type === "tool_use" ? { ...block, call: callId(requestId(1), index) } : block,
  );
  const judged = last.type === "end" ? judgeReply(named, last.reply.stop) : null;
  const opaque = blocks.map((block) => (block.type === "opaque" ? block.data : null) as JsonObject);
  return {
    outcome: outcomeOf(last),
    runnable: named
      .filter(isToolUse)
      .filter((use) => judged?.next === "run" && !Object.hasOwn(judged.refused, use.call))
      .map((use) => use.wireId ?? ""),
    expect: {
      ...(last.type === "end" ? { model: last.reply.model } : {}),
      stopReason: last.type === "end" ? last.reply.stop.raw : null,
      ended: last.type === "end",
      text: plainText(blocks),
      thinking: plainText(blocks.flatMap(asText)),
      signatureChars: signatures(blocks).join("").length,
      redactedThinkingBlocks: opaque.filter((data) => data?.["type"] === "redacted_thinking")
        .length,
      toolCalls: blocks.flatMap((block) => (block.type === "tool_use" ? [callOf(block)] : [])),
      serverToolCalls: opaque.flatMap((data) =>
        data?.["type"] === "server_tool_use" ? [data["name"]] : [],
      ),
      citations: blocks.flatMap((block) => citationsOf(block)).length,
      blockTypes: blocks.map((block, index) =>
        block.type === "opaque" ? opaque[index]?.["type"] : block.type,
      ),
      usage,
    },
  };
}

function outcomeOf(last: Last): string {
  if (last.type === "failure") return last.failure.class === "truncated" ? "truncated" : "error";
  const { reason } = last.reply.stop;
  const hasCalls = last.reply.blocks.some((block) => block.type === "tool_use");
  return hasCalls && (reason === "end_turn" || reason === "stop_sequence") ? "tool_use" : reason;
}

const asText = (block: ReplyBlock): readonly ReplyBlock[] =>
  block.type === "thinking" ? [{ type: "text", text: block.text }] : [];

const signatures = (blocks: readonly ReplyBlock[]): readonly unknown[] =>
  blocks.flatMap((block) =>
    block.type === "thinking"
      ? [(block.opaque?.data as JsonObject | undefined)?.["signature"] ?? ""]
      : [],
  );

const citationsOf = (block: ReplyBlock): readonly unknown[] =>
  block.type === "text"
    ? (((block.opaque?.data as JsonObject | undefined)?.["citations"] ?? []) as readonly unknown[])
    : [];

function callOf(call: Extract<ReplyBlock, { type: "tool_use" }>): object {
  const args =
    call.problem === null
      ? { input: call.input }
      : { inputText: call.inputText, inputError: call.problem };
  return {
    id: call.wireId,
    name: call.tool,
    ...args,
    ...(call.complete ? {} : { complete: false }),
  };
}

/** Not compared here: the error and its details are looked for in messages, which sequence matched is of no use. */
const elsewhere = ["usage", "error", "stopDetails", "stopSequence"];

/** The fixture's expectation in our terms: raw usage names become ours, absent counts are 0. */
function wanted({ outcome, runnable, expect }: Expectation, last: Last): object {
  const left = last.type === "failure" ? [...elsewhere, "model"] : elsewhere;
  const fields = Object.entries(expect).filter(([key]) => !left.includes(key));
  const { usage } = expect;
  return {
    outcome,
    runnable,
    expect: {
      ...Object.fromEntries(fields),
      usage: {
        input: usage["input_tokens"],
        output: usage["output_tokens"],
        cacheRead: usage["cache_read_input_tokens"] ?? 0,
        cacheWrite: usage["cache_creation_input_tokens"] ?? 0,
      },
    },
  };
}

function checkWhole(expectation: Expectation, title: string): Run["check"] {
  return (last, chunks) => {
    assert.deepEqual(seen(last), wanted(expectation, last), title);
    const { error, stopDetails } = expectation.expect;
    if (error !== undefined && last.type === "failure") {
      assert.match(last.failure.message, new RegExp(`${error.type}.*${error.message}`));
    }
    const explanation = stopDetails?.explanation ?? null;
    if (explanation !== null && last.type === "end") {
      assert.deepEqual(last.reply.warnings, [`the provider says: ${explanation}`]);
    }
    checkShown(last, chunks);
  };
}

/** What was shown while it came is what is there at the end. */
function checkShown(last: Last, chunks: readonly ModelChunk[]): void {
  const from = chunks.findLastIndex((chunk) => chunk.type === "restart") + 1;
  const shown = chunks.slice(from);
  const blocks = last.type === "end" ? last.reply.blocks : last.blocks;
  const texts = shown.map((chunk) => (chunk.type === "text" ? chunk.delta : "")).join("");
  assert.equal(texts, plainText(blocks));
  const calls = blocks.filter((block) => block.type === "tool_use");
  for (const chunk of shown) {
    if (chunk.type === "block" && chunk.index !== null) {
      assert.deepEqual(chunk.block, calls[chunk.index]);
    }
  }
}

function whole(name: string): { readonly sse: Buffer; readonly expectation: Expectation } {
  const path = join(streams ?? "", name);
  return {
    sse: readFileSync(`${path}.sse`),
    expectation: readJson(`${path}.expect.json`) as Expectation,
  };
}

/** Transforms that must not change anything. */
function sameRuns(name: string): readonly Run[] {
  const { sse, expectation } = whole(name);
  const text = sse.toString("latin1");
  const bytes = (changed: string): Buffer => Buffer.from(changed, "latin1");
  const run = (title: string, changes: Partial<Run>): Run => ({
    title,
    sse,
    fault: [],
    check: checkWhole(expectation, `${name} under ${title}`),
    ...changes,
  });
  const late: Fault = { type: "late", ms: 20_000 };
  return [
    run("whole", { fault: [{ type: "splits", at: [] }] }),
    run("one write an event", {}),
    run("bytes-1", { fault: [{ type: "pieces", bytes: 1 }] }),
    run("bytes-7", { fault: [{ type: "pieces", bytes: 7 }] }),
    ...insideCharacters(sse).map((at) =>
      run(`split-inside-character at ${at}`, { fault: [{ type: "splits", at: [at] }] }),
    ),
    ...insideLineEnds(text).map((at) =>
      run(`split-inside-line-end at ${at}`, { fault: [{ type: "splits", at: [at] }] }),
    ),
    ...(text.includes("\r") ? [] : [run("crlf", { fault: [{ type: "crlf" }] })]),
    run("comments", { sse: bytes(text.replaceAll("\n\n", "\n\n: keep-alive\n\n")) }),
    run("no-space-after-colon", { sse: bytes(text.replaceAll(/^(data|event): /gm, "$1:")) }),
    run("bom", { sse: Buffer.concat([Buffer.from("\uFEFF"), sse]) }),
    run("gzip", { fault: [{ type: "gzip" }, { type: "pieces", bytes: 100 }] }),
    run("slow-start", { fault: [late], meanwhile: waitAndAdvance(20_000) }),
  ];
}

const insideCharacters = (sse: Buffer): readonly number[] =>
  [...sse.keys()].filter((at) => ((sse[at] ?? 0) & 0xc0) === 0x80).slice(0, 64);

const insideLineEnds = (text: string): readonly number[] =>
  [...text.matchAll(/\r\n/g)].map((match) => match.index + 1).slice(0, 64);

const waitAndAdvance =
  (ms: number): NonNullable<Run["meanwhile"]> =>
  async (clock) => {
    while (clock.sleeping < 2) await nextTurn();
    await clock.advance(ms);
  };

/** Transforms that break the stream. */
function brokenRuns(name: string): readonly Run[] {
  const { sse, expectation } = whole(name);
  const events = sse.toString("latin1").split(/(?<=\r\n\r\n|\n\n)/);
  const half = Math.floor(sse.length / 2);
  const at = (prefix: string, title: string): Run["check"] => checkCut(prefix, expectation, title);
  return [
    ...cutsOf(events.length).map((index): Run => {
      const title = `${name} cut at event ${index}`;
      const check = at(events.slice(0, index).join(""), title);
      return { title, sse, fault: [{ type: "cut", events: index }], check };
    }),
    {
      title: "reset-at-byte",
      sse,
      fault: [{ type: "reset", bytes: half }],
      check: at(sse.subarray(0, half).toString("latin1"), `${name} reset`),
    },
  ];
}

/** After every event; after every fourth in the middle of the few very long streams, which are of one kind there. */
const cutsOf = (events: number): readonly number[] =>
  Array.from({ length: events }, (_, index) => index).filter(
    (index) => index < 50 || index > events - 20 || index % 4 === 0,
  );

/** Truncated while neither the stop reason nor an error has arrived, else as ever; never a call that runs. */
function checkCut(prefix: string, expectation: Expectation, title: string): Run["check"] {
  const hasStop = /"stop_reason":"[^"]+"/.test(prefix);
  const hasError = prefix.includes('"type":"error"');
  const outcome = hasStop || hasError ? expectation.outcome : "truncated";
  return (last) => {
    const got = seen(last);
    assert.equal(got.outcome, outcome, title);
    if (outcome === "truncated") assert.deepEqual(got.runnable, [], title);
    if (last.type === "failure") {
      assert.ok(retryDelayMs(last.failure, 1, 0) !== null, `${title}: may be tried again`);
    }
  };
}

describe("anthropic streams from the field", { skip }, () => {
  test("there are as many as there should be", () => assert.ok(names.length >= 30));
  for (const name of names) {
    test(`${name}: every transform gives what the fixture says [P01, P07, P11]`, () =>
      play(sameRuns(name)));
    test(`${name}: cut anywhere it is truncated, and nothing runs [P14]`, () =>
      play(brokenRuns(name)));
    test(`${name}: silence in the middle is a stall, and an interrupt ends it at once [I04]`, () =>
      stall(name));
  }
});

async function stall(name: string): Promise<void> {
  const { sse } = whole(name);
  const clock = fakeClock();
  const fault: Fault = { type: "stall", bytes: Math.floor(sse.length / 2), times: 9 };
  await using server = await startScriptedServer({
    turns: [
      { sse, fault },
      { sse, fault },
    ],
    checks: "light",
    clock,
  });
  const client = anthropicClient({ apiKey: null, baseUrl: server.url, clock });
  const read = async (signal: AbortSignal): Promise<ModelChunk | undefined> =>
    lastOf(client.stream(request, { signal }));
  const silent = read(new AbortController().signal);
  while (server.requests.length < 1) await nextTurn();
  await clock.advance(11 * 60_000);
  const stalled = await silent;
  assert.ok(stalled?.type === "failure" && stalled.failure.class === "stall");
  assert.ok(retryDelayMs(stalled.failure, 1, 0) !== null);

  const interrupt = new AbortController();
  const interrupted = read(interrupt.signal);
  while (server.requests.length < 2) await nextTurn();
  const startMs = performance.now();
  interrupt.abort();
  const last = await interrupted;
  assert.ok(last?.type === "failure" && last.failure.class === "aborted");
  assert.ok(performance.now() - startMs < 200);
}

async function lastOf(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk | undefined> {
  let last: ModelChunk | undefined;
  for await (const chunk of chunks) last = chunk;
  return last;
}
