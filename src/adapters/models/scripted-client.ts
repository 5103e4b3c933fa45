import type { Failure } from "#core";
import type { Clock, ModelChunk, ModelClient, ModelRequest } from "#runtime";
import { readReply } from "./anthropic/read-reply.ts";
import { anthropicWire } from "./scripted/anthropic-wire.ts";
import { planOf, type Plan } from "./scripted/plan.ts";
import { parseScript, type Script, type ScriptedTurn } from "./scripted/script.ts";
import { isOverWarning, turnsOf } from "./scripted/turns.ts";
import { byteQueue, type Bytes } from "./shared/byte-queue.ts";
import { failureOfAnswer, type Peer } from "./shared/error-answer.ts";
import { abortedFailure, cutOff, failed, stalled } from "./shared/network-failure.ts";
import { usualPatience, type Patience } from "./shared/post.ts";
import { silenceBehindReplyMs, watchSilence } from "./shared/silence.ts";

export interface ScriptedClientOptions {
  /** The reference this model goes by: its own replies in a request say which turn comes next. */
  readonly ref: string;
  /** The turns, or a script as its file holds it. */
  readonly turns: readonly ScriptedTurn[] | Pick<Script, "turns" | "tools">;
  readonly patience?: Patience;
  readonly clock: Clock;
}

/**
 * The scripted model without a socket: the bytes the scripted server would send, faults and all, read by the reader of
 * the Anthropic wire.
 * @throws PawlError `script_invalid`
 */
export function scriptedClient(options: ScriptedClientOptions): ModelClient {
  const { ref, clock } = options;
  const turnAt = turnsOf(parseScript(options.turns, ref));
  const peer: Peer = { name: "The scripted model", secrets: [], now: () => clock.now() };

  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelChunk> {
    if (signal.aborted) return yield failed(abortedFailure);
    const index = request.messages.filter(
      (message) => message.role === "assistant" && message.model === ref,
    ).length;
    const { turn, faults, isOver } = turnAt(index);
    // There is no transport to undo a compression.
    const heard = faults.filter((fault) => fault.type !== "gzip");
    const plan = planOf(turn, { wire: anthropicWire, index, model: ref, faults: heard });
    if (plan.type === "refuse") return yield failed(failureOfAnswer(plan, peer));
    const bytes = played(plan, { ...options, peer, signal });
    for await (const chunk of readReply(bytes, { provider: "scripted", model: ref, peer })) {
      yield isOver && chunk.type === "end" ? withWarning(chunk) : chunk;
    }
  }

  return { stream };
}

function withWarning(chunk: Extract<ModelChunk, { type: "end" }>): ModelChunk {
  const { reply } = chunk;
  return { type: "end", reply: { ...reply, warnings: [...reply.warnings, isOverWarning] } };
}

/** The bytes of a plan, at the plan's pace. */
function played(
  plan: Extract<Plan, { type: "stream" }>,
  options: ScriptedClientOptions & { readonly peer: Peer; readonly signal: AbortSignal },
): Bytes {
  const { clock, peer, signal } = options;
  const patience = options.patience ?? usualPatience;
  const left = new AbortController();
  const over = AbortSignal.any([signal, left.signal]);
  const queue = byteQueue({
    onRoom() {},
    onLeft: () => finish(null),
    onEndExpected() {
      silence.alive();
      silence.allow(Math.min(silenceBehindReplyMs, patience.idleMs));
    },
  });
  const silence = watchSilence({
    clock,
    limitMs: patience.firstByteMs,
    isPaused: () => queue.isFull,
    onSilence: () => finish(stalled(peer)),
  });

  function finish(failure: Failure | null): void {
    silence.stop();
    left.abort();
    signal.removeEventListener("abort", onAbort);
    queue.end(failure);
  }

  function onAbort(): void {
    queue.cut(abortedFailure);
    finish(abortedFailure);
  }

  async function play(): Promise<void> {
    if (plan.lateMs > 0) await clock.sleep(plan.lateMs, over);
    silence.allow(patience.idleMs);
    for (const piece of plan.pieces) {
      if (plan.pauseMs > 0) await clock.sleep(plan.pauseMs, over);
      if (over.aborted) return;
      silence.alive();
      queue.push(piece);
    }
    if (plan.end === "end") finish(null);
    if (plan.end === "cut") finish(cutOff(peer, "the connection was closed"));
    if (plan.end === "reset") finish(cutOff(peer, "the connection was reset"));
  }

  signal.addEventListener("abort", onAbort);
  play().catch(() => finish(cutOff(peer, "the script could not be played")));
  return queue;
}
