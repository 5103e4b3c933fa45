import assert from "node:assert/strict";
import { noUsage, type JsonObject, type ReplyBlock, type StopReason, type WireCall } from "#core";
import type { ModelChunk, ModelClient, ModelRequest, Reply, ToolSpec } from "#runtime";
import { textProtocol } from "#testing";
import { all } from "../played.ts";
import { plainBlocks } from "../../../../src/testing/model-conformance/law.ts";

const spec = (name: string, properties: JsonObject, more: JsonObject = {}): ToolSpec => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties, ...more },
});

export const tools: readonly ToolSpec[] = [
  spec("read", { path: { type: "string" }, limit: { type: "integer" } }),
  spec("write", { path: { type: "string" }, content: { type: "string" } }),
  spec(
    "any",
    {
      text: { type: "string" },
      count: { type: "number" },
      flag: { type: "boolean" },
      list: { type: "array", items: { type: "string" } },
      object: { type: "object" },
      maybe: { type: ["string", "null"] },
      choice: { anyOf: [{ type: "string" }, { $ref: "#/$defs/list" }] },
      word: { enum: ["on", "off"] },
      free: {},
    },
    { $defs: { list: { type: "array" } } },
  ),
  spec("time", {}),
];

export const request: ModelRequest = {
  model: "test/any",
  system: [{ name: "role", text: "You are Pawl.", stable: true }],
  tools,
  toolChoice: "auto",
  messages: [{ role: "user", blocks: [{ type: "text", text: "Go." }], seq: 1 }],
  maxOutputTokens: 1000,
};

/** A wire that says these pieces, and then ends. */
export function saying(
  pieces: readonly string[],
  more: { readonly reason?: StopReason; readonly blocks?: readonly ReplyBlock[] } = {},
): ModelClient {
  const reason = more.reason ?? "end_turn";
  const blocks = more.blocks ?? [{ type: "text", text: pieces.join("") }];
  const reply: Reply = {
    model: "any",
    blocks,
    stop: { reason, raw: reason },
    usage: noUsage,
    warnings: [],
  };
  return {
    async *stream() {
      for (const delta of pieces) yield { type: "text", delta };
      yield { type: "end", reply };
    },
  };
}

export async function chunksOf(wire: ModelClient): Promise<readonly ModelChunk[]> {
  const { signal } = new AbortController();
  return await all(textProtocol(wire).stream(request, { signal }));
}

export interface Outcome {
  /** Text that was shown. */
  readonly shown: string;
  readonly thought: string;
  /** Calls that were announced as whole. */
  readonly announced: readonly WireCall[];
  readonly reply: Reply;
}

export async function outcomeOf(wire: ModelClient): Promise<Outcome> {
  const chunks = await chunksOf(wire);
  const last = chunks.at(-1);
  assert.ok(last?.type === "end");
  const said = (type: "text" | "thinking"): string =>
    chunks.map((chunk) => (chunk.type === type ? chunk.delta : "")).join("");
  return {
    shown: said("text"),
    thought: said("thinking"),
    announced: chunks.flatMap((chunk) =>
      chunk.type === "block" && chunk.block.type === "tool_use" ? [chunk.block] : [],
    ),
    reply: last.reply,
  };
}

/** A reply, in short: texts, and of calls what matters. */
export const brief = ({ blocks }: Pick<Reply, "blocks">): readonly unknown[] =>
  plainBlocks(blocks).map((block) => {
    if (!("type" in block)) return block;
    if (block.type === "text" && "text" in block) return block.text;
    if (block.type !== "tool_use") return block;
    const { tool, input, problem, complete } = block as WireCall;
    return [
      tool,
      problem === null ? input : problem.replace(/[:.].*/s, ""),
      ...(complete ? [] : ["cut"]),
    ];
  });
