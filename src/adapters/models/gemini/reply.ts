import { noUsage, type Failure, type Json, type JsonObject, type ReplyBlock } from "#core";
import type { ModelChunk } from "#runtime";
import { failureOfEvent, type Peer } from "../shared/error-answer.ts";
import { growingText } from "../shared/growing-text.ts";
import { countOf, isJsonObject, objectOf, stringOf } from "../shared/json-read.ts";
import { failureWithoutAnswer } from "../shared/network-failure.ts";
import type { FrameReader } from "../shared/read-stream.ts";
import { safeText } from "../shared/secrets.ts";
import { partialArgs } from "./partial-args.ts";
import { blockSoFar, idOf, without, type OpenBlock, type OpenCall } from "./parts.ts";
import { finishOf, labelOf } from "./stop.ts";
import { countsAfter, usageOf, type Counts } from "./usage.ts";

export interface ReplyOptions {
  /** The model's name until the reply tells its own. */
  readonly model: string;
  readonly peer: Peer;
}

/**
 * Reader of `streamGenerateContent` (source: Gemini API and Vertex AI references, 2026-11). Each frame brings some parts
 * of the one candidate we ask for; the frame with the finish reason is not always the last.
 */
export function replyReader({ peer, ...options }: ReplyOptions): FrameReader<JsonObject> {
  let { model } = options;
  let counts: Counts = {};
  let label: string | null = null;
  let failure: Failure | null = null;
  let calls = 0;
  const blocks: OpenBlock[] = [];
  const warnings = new Set<string>();

  function accept(frame: JsonObject): readonly ModelChunk[] {
    if (failure !== null) return [];
    const error = objectOf(frame["error"]);
    if (error !== null) return broken(failureOfEvent(error, peer));
    counts = countsAfter(counts, frame["usageMetadata"]);
    model = stringOf(frame["modelVersion"]) ?? model;
    const candidate = firstCandidate(frame["candidates"]);
    const parts = objectOf(candidate?.["content"])?.["parts"];
    const shown = (Array.isArray(parts) ? parts : []).flatMap((part: Json) => accepted(part));
    if (candidate !== null) finish(candidate);
    const blocked = objectOf(frame["promptFeedback"])?.["blockReason"];
    if (blocked !== undefined && blocked !== null && label === null) blockedBy(labelOf(blocked));
    return shown;
  }

  function accepted(json: Json): readonly ModelChunk[] {
    const part = objectOf(json);
    if (part === null) return warn("a part that is no object was skipped");
    const call = objectOf(part["functionCall"]);
    if (call !== null) return callPart(call, without(part, ["functionCall"]));
    if (typeof part["text"] === "string") return textPart(part["text"], part);
    if (Object.keys(part).length === 0) return [];
    return closed({ kind: "opaque", data: part });
  }

  function textPart(text: string, part: JsonObject): readonly ModelChunk[] {
    const kind = part["thought"] === true ? "thinking" : "text";
    const rest = without(part, ["text", "thought"]);
    const isPlain = Object.keys(rest).length === 0;
    // An empty part may bear a signature, which has to go back in its place.
    if (text === "") return isPlain ? [] : closed({ kind: "opaque", data: part });
    const last = blocks.at(-1);
    const isSame = last?.kind === kind && Object.keys(last.rest).length === 0;
    if (isPlain && isSame) last.said.add(text);
    else blocks.push({ kind, said: growingText(text), rest });
    return [{ type: kind, delta: text }];
  }

  function callPart(wire: JsonObject, rest: JsonObject): readonly ModelChunk[] {
    const tool = stringOf(wire["name"]) ?? "";
    if (tool !== "") return grown(begun(tool, wire), { wire, rest, isNew: true });
    const call = openCall(idOf(wire["id"]));
    return call === null
      ? warn("a piece of no open call was skipped")
      : grown(call, { wire, rest, isNew: false });
  }

  function begun(tool: string, wire: JsonObject): OpenCall {
    const call: OpenCall = {
      kind: "call",
      tool,
      wireId: idOf(wire["id"]),
      args: partialArgs(),
      rest: {},
      isClosed: false,
      callIndex: calls++,
    };
    blocks.push(call);
    return call;
  }

  /** The call a piece without a name belongs to: the one with its id, else the one begun last. */
  function openCall(id: string | null): OpenCall | null {
    const open = blocks.filter((block) => block.kind === "call").filter((call) => !call.isClosed);
    return open.find((call) => id !== null && call.wireId === id) ?? open.at(-1) ?? null;
  }

  function grown(
    call: OpenCall,
    part: { readonly wire: JsonObject; readonly rest: JsonObject; readonly isNew: boolean },
  ): readonly ModelChunk[] {
    const { args, partialArgs: pieces, willContinue } = part.wire;
    call.args.whole(args);
    if (Array.isArray(pieces)) pieces.forEach((piece: Json) => call.args.piece(piece));
    call.rest = { ...call.rest, ...part.rest };
    const shown: ModelChunk[] = part.isNew ? [{ type: "call", tool: call.tool }] : [];
    if (willContinue === true) return shown;
    call.isClosed = true;
    return [...shown, { type: "block", index: call.callIndex, block: blockSoFar(call) }];
  }

  function closed(block: OpenBlock): readonly ModelChunk[] {
    blocks.push(block);
    return [{ type: "block", index: null, block: blockSoFar(block) }];
  }

  function finish(candidate: JsonObject): void {
    const reason = candidate["finishReason"];
    if (reason === undefined || reason === null) return;
    label = labelOf(reason);
    const end = finishOf(label);
    if (end.type === "stop") return;
    const said = safeText(stringOf(candidate["finishMessage"]) ?? "", peer.secrets);
    const why = `${peer.name} ended the reply with ${label}${said === "" ? "" : `: ${said}`}.`;
    broken(failureWithoutAnswer(end.class, why));
  }

  function blockedBy(reason: string): void {
    const why = `${peer.name} refused the prompt (${safeText(reason, peer.secrets)}).`;
    broken(failureWithoutAnswer("content_filter", why));
  }

  function broken(reason: Failure): readonly ModelChunk[] {
    failure = reason;
    return [];
  }

  function warn(text: string): readonly ModelChunk[] {
    warnings.add(text);
    return [];
  }

  function end(cut: Failure): readonly ModelChunk[] {
    const usage = usageOf(counts);
    const found = blocks.map(blockSoFar);
    if (failure !== null || label === null || cut.class === "aborted") {
      return [{ type: "failure", failure: failure ?? cut, blocks: found, usage }];
    }
    const finished = finishOf(label);
    const reason = finished.type === "stop" ? finished.reason : "unknown";
    const reply = {
      model,
      blocks: reason === "max_tokens" ? found.map(cutByLimit) : found,
      stop: { reason: reason === "end_turn" && calls > 0 ? "tool_use" : reason, raw: label },
      usage: usage ?? noUsage,
      warnings: [...warnings],
    } as const;
    return [{ type: "end", reply }];
  }

  return {
    accept,
    end,
    get isOver() {
      return failure !== null;
    },
    get hasStop() {
      return label !== null;
    },
  };
}

/** The one candidate we ask for; a server that sends more numbers them. */
function firstCandidate(candidates: Json | undefined): JsonObject | null {
  if (!Array.isArray(candidates)) return null;
  const found = candidates.find(
    (candidate: Json) => isJsonObject(candidate) && (countOf(candidate["index"]) ?? 0) === 0,
  );
  return objectOf(found);
}

/** At the output limit this wire does not say whether a call was cut: none runs (requirements, section 2). */
const cutByLimit = (block: ReplyBlock): ReplyBlock =>
  block.type === "tool_use" ? { ...block, complete: false } : block;
