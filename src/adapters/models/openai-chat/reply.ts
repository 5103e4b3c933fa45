import {
  noUsage,
  type Failure,
  type JsonObject,
  type ReplyBlock,
  type Stop,
  type Usage,
} from "#core";
import type { ModelChunk } from "#runtime";
import { growingText, type GrowingText } from "../shared/growing-text.ts";
import { countOf, isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";
import type { FrameReader } from "../shared/read-stream.ts";
import { callSoFar, callTable, type OpenCall } from "./calls.ts";
import { saidIn, type Said } from "./delta.ts";
import type { Dialect } from "../capabilities.ts";
import { reasoningDetails } from "./reasoning-details.ts";
import { failureLabel, labelOf, stopOf, strongerLabel } from "./stop.ts";
import { usageAfter, usageIn } from "./usage.ts";

/** One `data:` of the stream: a chunk, an error, or the mark at its end. */
export type ChatFrame =
  | { readonly type: "chunk"; readonly chunk: JsonObject }
  | { readonly type: "error"; readonly error: JsonObject }
  | { readonly type: "done" };

export interface ReplyOptions {
  readonly dialect: Dialect;
  /** The model's name until the reply tells its own. */
  readonly model: string;
  /** The limit that was asked for: servers that stop there do not always say so. */
  readonly maxOutputTokens: number;
  failureOfError(error: JsonObject): Failure;
  /** A failure the server named by its label alone. */
  failureOfLabel(label: string): Failure;
}

/** A piece of the reply while its deltas come. */
type OpenBlock =
  | {
      readonly kind: "text" | "thinking";
      readonly said: GrowingText;
      readonly field: string | null;
    }
  | { readonly kind: "call"; readonly call: OpenCall };

/**
 * Reader of the stream of the Chat Completions API (source: "Chat completion chunk object", OpenAI API reference), as
 * many servers speak it. The wire marks the end of a reply and not of a call: calls are complete when the reply is, and
 * none is when the output limit ended it.
 */
export function replyReader(options: ReplyOptions): FrameReader<ChatFrame> {
  const { provider, thinkingBack, reasoningTokens } = options.dialect;
  const table = callTable();
  const details = reasoningDetails();
  const blocks: OpenBlock[] = [];
  let model: string | null = null;
  let usage: Usage | null = null;
  let label: string | null = null;
  let isRefused = false;
  let hasSaid = false;
  let isDone = false;
  let failure: Failure | null = null;
  /** One reply was asked for; the first choice that speaks is it. */
  let place: number | null = null;

  function accept(frame: ChatFrame): readonly ModelChunk[] {
    if (isDone || failure !== null) return [];
    switch (frame.type) {
      case "done":
        isDone = true;
        return [];
      case "error":
        failure = options.failureOfError(frame.error);
        return [];
      case "chunk":
        return chunk(frame.chunk);
      default:
        return frame satisfies never;
    }
  }

  function chunk(wire: JsonObject): readonly ModelChunk[] {
    const choice = choiceIn(wire);
    model ??= stringOf(wire["model"]) || null;
    usage = usageAfter(usage, usageIn(wire, choice), { reasoningTokens });
    const error = errorIn(wire) ?? errorIn(choice ?? {});
    if (error !== null) return accept({ type: "error", error });
    if (choice === null) return [];
    const delta = objectOf(choice["delta"]) ?? (hasSaid ? null : objectOf(choice["message"]));
    const shown = delta === null ? [] : add(saidIn(delta));
    label = strongerLabel(label, labelOf(choice["finish_reason"]));
    if (label !== null && failureLabel(label) !== null) failure = options.failureOfLabel(label);
    return shown;
  }

  function choiceIn(wire: JsonObject): JsonObject | null {
    const list = wire["choices"];
    const choices = Array.isArray(list) ? list.filter(isJsonObject) : [];
    const indexOf = (choice: JsonObject): number => countOf(choice["index"]) ?? 0;
    const found = choices.find((choice) => place === null || indexOf(choice) === place) ?? null;
    if (found !== null) place ??= indexOf(found);
    return found;
  }

  function add(said: Said): readonly ModelChunk[] {
    if (said.isRefusal) isRefused = true;
    if (thinkingBack === "details") details.add(said.details);
    const shown: ModelChunk[] = [];
    if (said.thinking !== "") shown.push(addText("thinking", said.thinking, said.thinkingField));
    if (said.text !== "") shown.push(addText("text", said.text, null));
    if (said.calls.length > 0) {
      const { opened, named } = table.accept(said.calls);
      for (const call of opened) blocks.push({ kind: "call", call });
      for (const call of named) shown.push({ type: "call", tool: call.tool });
      hasSaid = true;
    }
    return shown;
  }

  function addText(kind: "text" | "thinking", delta: string, field: string | null): ModelChunk {
    hasSaid = true;
    const last = blocks.at(-1);
    if (last?.kind === kind) last.said.add(delta);
    else blocks.push({ kind, said: growingText(delta), field });
    return { type: kind, delta };
  }

  /** Null while the reply has not ended. Without a label the end mark and the content decide. */
  function stopSoFar(): Stop | null {
    if (label === null) {
      if (!isDone || !hasSaid) return null;
      const hasCall = blocks.some(({ kind }) => kind === "call");
      return { reason: isRefused ? "refusal" : hasCall ? "tool_use" : "end_turn", raw: null };
    }
    const stop = stopOf(label);
    return isRefused && stop.reason === "end_turn" ? { ...stop, reason: "refusal" } : stop;
  }

  function end(broken: Failure): readonly ModelChunk[] {
    const stop = broken.class === "aborted" ? null : stopSoFar();
    if (failure !== null || stop === null) {
      const said = blocksSoFar({ complete: false });
      return [{ type: "failure", failure: failure ?? broken, blocks: said, usage }];
    }
    const isAtLimit = hidesLimit(stop);
    const real: Stop = isAtLimit ? { ...stop, reason: "max_tokens" } : stop;
    const said = blocksSoFar({ complete: marksEnd.has(real.reason) });
    const warnings = isAtLimit
      ? [`the reply is as long as the output limit allows but ended with ${stop.raw ?? "no label"}`]
      : [];
    const reply = {
      model: model ?? options.model,
      blocks: said,
      stop: real,
      usage: usage ?? noUsage,
      warnings,
    };
    return [...announced(said), { type: "end", reply }];
  }

  /** Some servers end at the limit with `stop` or `tool_calls` (field case P10): only the count tells. */
  function hidesLimit({ reason }: Stop): boolean {
    return marksEnd.has(reason) && usage?.output === options.maxOutputTokens;
  }

  function blocksSoFar({ complete }: { readonly complete: boolean }): readonly ReplyBlock[] {
    const said = blocks.map((block): ReplyBlock => {
      if (block.kind === "call") return callSoFar(block.call, { provider, complete });
      const text = block.said.text();
      if (block.kind === "text") return { type: "text", text };
      const kept =
        thinkingBack === "as_it_came" && block.field !== null ? { field: block.field } : null;
      return {
        type: "thinking",
        text,
        ...(kept === null ? {} : { opaque: { provider, data: kept } }),
      };
    });
    const items = details.whole();
    return items === null
      ? said
      : withDetails(said, { provider, data: { reasoning_details: items } });
  }

  return {
    accept,
    end,
    get isOver() {
      return isDone || failure !== null;
    },
    get hasStop() {
      return label !== null || isDone;
    },
  };
}

/** Reasons with which every call of the reply is whole. */
const marksEnd: ReadonlySet<Stop["reason"]> = new Set(["end_turn", "stop_sequence", "tool_use"]);

/** Told at the end: until then another label or an error may come. */
function announced(blocks: readonly ReplyBlock[]): readonly ModelChunk[] {
  let calls = 0;
  return blocks
    .filter((block) => block.type !== "tool_use" || block.complete)
    .map((block) => ({ type: "block", index: block.type === "tool_use" ? calls++ : null, block }));
}

/** An error where a chunk or a choice should be. Its usage counts all the same. */
function errorIn(wire: JsonObject): JsonObject | null {
  const error = wire["error"];
  if (isJsonObject(error)) return error;
  return typeof error === "string" && error !== "" ? { message: error } : null;
}

/** They ride on the first thinking; encrypted ones may have no text at all. */
function withDetails(
  blocks: readonly ReplyBlock[],
  opaque: { readonly provider: string; readonly data: JsonObject },
): readonly ReplyBlock[] {
  const first = blocks.findIndex((block) => block.type === "thinking");
  if (first < 0) return [{ type: "thinking", text: "", opaque }, ...blocks];
  return blocks.map((block, index) =>
    index === first && block.type === "thinking" ? { ...block, opaque } : block,
  );
}
