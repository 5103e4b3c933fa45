import assert from "node:assert/strict";
import {
  callId,
  isToolUse,
  judgeReply,
  plainText,
  requestId,
  retryDelayMs,
  type AssistantBlock,
  type ReplyBlock,
} from "#core";
import type { ModelChunk } from "#runtime";
import type { Expectation, Recording } from "./recording.ts";
import { fieldOf, type Wire } from "./wires.ts";

export type Last = Extract<ModelChunk, { type: "end" | "failure" }>;
export type Check = (last: Last, chunks: readonly ModelChunk[]) => void;

/** What came out, in the words of the fixtures. */
export function seen(
  last: Last,
  wire: Wire,
): Omit<Expectation, "expect"> & { readonly expect: object } {
  const blocks = last.type === "end" ? last.reply.blocks : last.blocks;
  const usage = last.type === "end" ? last.reply.usage : last.usage;
  const named = blocks.map((block, index): AssistantBlock =>
    block.type === "tool_use" ? { ...block, call: callId(requestId(1), index) } : block,
  );
  const judged = last.type === "end" ? judgeReply(named, last.reply.stop) : null;
  const types = blocks.map((block) =>
    block.type === "opaque" ? fieldOf(block.data, "type") : block.type,
  );
  const count = (type: string): number => types.filter((one) => one === type).length;
  return {
    outcome: outcomeOf(last),
    runnable: named
      .filter(isToolUse)
      .filter((use) => judged?.next === "run" && !Object.hasOwn(judged.refused, use.call))
      .map((use) => use.wireId),
    expect: {
      ...(last.type === "end" ? { model: last.reply.model } : {}),
      stopReason: last.type === "end" ? last.reply.stop.raw : null,
      ended: last.type === "end",
      text: plainText(blocks),
      thinking: plainText(blocks.flatMap(asText)),
      signatureChars: blocks.map(signatureOf).join("").length,
      redactedThinkingBlocks: count("redacted_thinking"),
      toolCalls: blocks.flatMap((block) =>
        block.type === "tool_use" ? [callOf(block, wire)] : [],
      ),
      serverToolCalls: blocks.flatMap((block, index) =>
        block.type === "opaque" && types[index] === "server_tool_use"
          ? [fieldOf(block.data, "name")]
          : [],
      ),
      citations: blocks.flatMap(citationsOf).length,
      blockTypes: types,
      usage,
      ...wire.seenIn?.(blocks),
    },
  };
}

export function outcomeOf(last: Last): string {
  if (last.type === "failure") return outcomes[last.failure.class] ?? "error";
  const { reason } = last.reply.stop;
  const hasCalls = last.reply.blocks.some((block) => block.type === "tool_use");
  const ends = reason === "end_turn" || reason === "stop_sequence" || reason === "tool_use";
  if (!ends) return reason;
  return hasCalls ? "tool_use" : reason === "tool_use" ? "end_turn" : reason;
}

/** Failures that are ends of their own: core compacts, or says that the provider refused. */
const outcomes: Readonly<Record<string, string>> = {
  truncated: "truncated",
  context_overflow: "context_window",
  content_filter: "content_filter",
};

const asText = (block: ReplyBlock): readonly ReplyBlock[] =>
  block.type === "thinking" ? [{ type: "text", text: block.text }] : [];

function signatureOf(block: ReplyBlock): string {
  const found = block.type === "thinking" ? fieldOf(block.opaque?.data, "signature") : undefined;
  return typeof found === "string" ? found : "";
}

function citationsOf(block: ReplyBlock): readonly unknown[] {
  const found = block.type === "text" ? fieldOf(block.opaque?.data, "citations") : undefined;
  return Array.isArray(found) ? found : [];
}

function callOf(call: Extract<ReplyBlock, { type: "tool_use" }>, wire: Wire): object {
  const args =
    call.problem === null
      ? { input: call.input }
      : { inputText: call.inputText, inputError: call.problem };
  // Where the wire marks only the end of a reply, what is complete shows in what may run.
  const mark = wire.marksCallEnds && !call.complete ? { complete: false } : {};
  const { also = {}, instead = args } = wire.seenOf?.(call) ?? {};
  return { id: call.wireId, name: call.tool, ...instead, ...mark, ...also };
}

/** Compared elsewhere (usage, errors and details in messages), or of no use to us (which sequence matched). */
const elsewhere = [
  "usage",
  "error",
  "stopDetails",
  "stopSequence",
  "finishMessage",
  "promptBlocked",
  "status",
  "unparseableEvents",
];

/** A failure carries neither the name of a model nor a stop reason. */
const ofReplies = ["model", "stopReason", "ended"];

/**
 * Checks a whole stream against its fixture; one without a fixture against what came of it the first time.
 * @param first kept over the runs of one recording
 */
export function checkWhole(recording: Recording, title: string, first: First): Check {
  const { wire, expectation, name } = recording;
  return (last, chunks) => {
    checkShown(last, chunks);
    const got = seen(last, wire);
    if (expectation === null) {
      first.seen ??= got;
      return assert.deepEqual(got, first.seen, `${name} under ${title}`);
    }
    const { outcome, runnable, expect } = expectation;
    // A connection that closes behind the stop reason harms nothing.
    const left = [
      ...elsewhere,
      ...(last.type === "failure" ? ofReplies : ["ended"]),
      ...(expect["model"] === null ? ["model"] : []),
    ];
    const fields = Object.keys(expect).filter((key) => !left.includes(key));
    const only = (from: object): object =>
      Object.fromEntries(fields.map((key) => [key, Reflect.get(from, key)]));
    assert.deepEqual(
      { outcome: got.outcome, runnable: got.runnable, expect: only(got.expect) },
      { outcome, runnable, expect: only(expect) },
      `${name} under ${title}`,
    );
    const none = last.type === "end" ? wire.usageOf({}) : null;
    const usage = expect.usage === null ? none : wire.usageOf(expect.usage);
    assert.deepEqual(Reflect.get(got.expect, "usage"), usage, title);
    checkMessages(last, expect);
  };
}

/** What a stream gave under its first transform. */
export interface First {
  seen: object | null;
}

function checkMessages(last: Last, expect: Expectation["expect"]): void {
  const { error, stopDetails, finishMessage, promptBlocked } = expect;
  for (const said of [error?.message, finishMessage, promptBlocked]) {
    if (typeof said !== "string" || last.type !== "failure") continue;
    const beginning = said.slice(0, 150);
    assert.ok(last.failure.message.includes(beginning), `${last.failure.message}: ${beginning}`);
  }
  const explanation = stopDetails?.explanation ?? null;
  if (explanation !== null && last.type === "end") {
    assert.deepEqual(last.reply.warnings, [`the provider says: ${explanation}`]);
  }
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

/** Truncated while neither the stop reason nor an error has arrived, else as ever; never a call that runs. */
export function checkCut({ wire, expectation }: Recording, prefix: string, title: string): Check {
  const lines = prefix.slice(0, prefix.lastIndexOf("\n") + 1);
  const hasStop = wire.holdsStop(lines);
  const hasError = wire.holdsError(lines);
  return (last) => {
    const got = seen(last, wire);
    if (!hasStop && !hasError) {
      assert.equal(got.outcome, "truncated", title);
      assert.deepEqual(got.runnable, [], title);
    } else if (expectation !== null && (hasError || expectation.outcome !== "error")) {
      assert.equal(got.outcome, expectation.outcome, title);
    }
    if (last.type === "failure" && last.failure.class === "truncated") {
      assert.ok(
        retryDelayMs(last.failure, { attempt: 1, waitedMs: 0 }, 0) !== null,
        `${title}: may be tried again`,
      );
    }
  };
}
