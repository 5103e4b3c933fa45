import {
  callId,
  isToolUse,
  modelInUse,
  plainText,
  remedyFor,
  sameJson,
  summaryRequest,
  text,
  type AnswerCheck,
  type AssistantBlock,
  type CallId,
  type Failure,
  type Stamp,
  type WireCall,
} from "#core";
import { spill, wholeOrNotes } from "../long-text.ts";
import type { ModelChunk, ModelRequest, Reply } from "../ports.ts";
import { messageOf } from "../toolbox.ts";
import { namedBlocks } from "./named-blocks.ts";
import type { Job, Perform, Stage } from "./performer.ts";

type ModelJob = Job<"call_model">;
/** @property model the one that was asked: who is paid, and who wrote the reply */
type Asked = ModelJob & { readonly model: string };

/** Asks the model and follows its reply; reads that are complete may start meanwhile. */
export const callModel: Perform<"call_model"> = async (job, stage) => {
  const { request, purpose, attempt, tools } = job.effect;
  const { model } = modelInUse(stage.head());
  const begun = stage.propose({ type: "request.started", request, purpose, attempt, model, tools });
  if (!begun) return;
  const synced = stage.synced();
  // A failed sync rejects first; the request that was made ready is then never sent.
  const [, built] = await Promise.all([synced, makeReady(job, stage)]);
  if (job.signal.reason === "discard") return;
  if (job.signal.aborted) return fail({ ...job, model }, stage, nothing(aborted));
  stage.crash("model.before_request");
  await follow({ ...job, model }, stage, built);
};

/** The request, and its client told of it while the sync is under way. */
async function makeReady(job: ModelJob, stage: Stage): Promise<ModelRequest> {
  const request = await buildRequest(job, stage);
  await turnOfLoop();
  try {
    stage.parts.model(request.model).prepare?.(request);
  } catch {
    // There is no such client: sending the request says so.
  }
  return request;
}

/** The sync begins in this turn of the event loop. */
const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function buildRequest(job: ModelJob, stage: Stage): Promise<ModelRequest> {
  const { purpose, tools } = job.effect;
  const built = await stage.agenda.request(stage.head(), { tools });
  if (purpose === "turn") return built;
  const ask = { role: "user", blocks: [text(summaryRequest)], seq: stage.head().seq } as const;
  return { ...built, answerSchema: null, messages: [...built.messages, ask] };
}

async function follow(job: Asked, stage: Stage, request: ModelRequest): Promise<void> {
  const { parts } = stage;
  try {
    const client = parts.model(job.model);
    for await (const chunk of client.stream(request, { signal: job.signal })) {
      if (job.signal.reason === "discard") return;
      if (chunk.type === "end") return await finish(job, stage, chunk.reply);
      if (chunk.type === "failure") return await fail(job, stage, chunk);
      show(job, stage, chunk);
      stage.crash("model.streaming");
    }
    await fail(job, stage, nothing(ended));
  } catch (error) {
    const failure: Failure = {
      ...ended,
      class: "internal",
      message: `The model client failed: ${messageOf(error)}`,
    };
    await fail(job, stage, nothing(failure));
  }
}

type Trouble = Omit<Extract<ModelChunk, { type: "failure" }>, "type">;

const nothing = (failure: Failure): Trouble => ({ failure, blocks: [], usage: null });

const aborted: Failure = {
  class: "aborted",
  message: "The request was stopped before it was sent.",
  status: null,
  retryAfterMs: null,
};

const ended: Failure = {
  class: "truncated",
  message: "The reply ended without an end.",
  status: null,
  retryAfterMs: null,
};

function show(
  job: ModelJob,
  stage: Stage,
  chunk: Exclude<ModelChunk, { type: "end" | "failure" }>,
): void {
  switch (chunk.type) {
    case "text":
      stage.parts.spool.write(chunk.delta);
      stage.signal(chunk);
      return;
    case "restart":
      stage.parts.spool.clear();
      stage.signal(chunk);
      return;
    case "thinking":
    case "call":
      stage.signal(chunk);
      return;
    case "block":
      if (chunk.index !== null && chunk.block.type === "tool_use") {
        startEarly(job, stage, { index: chunk.index, block: chunk.block });
      }
      return;
    default:
      chunk satisfies never;
  }
}

/** A complete read joins the calls at once; whether it may run is decided like any other call. */
function startEarly(
  job: ModelJob,
  stage: Stage,
  found: { readonly index: number; readonly block: WireCall },
): void {
  const { request, tools } = job.effect;
  const { tool, input, problem, complete } = found.block;
  if (!tools || problem !== null || !complete) return;
  const call = callId(request, found.index);
  const prepared = stage.tools.prepare({ call, tool, input });
  const { stamp } = prepared;
  // Long arguments would have to be moved into a blob first: such a call waits for the whole reply.
  if ("invalid" in stamp || stamp.access !== "read" || JSON.stringify(input).length > 10_000)
    return;
  // Judging begins inside `propose`.
  stage.agenda.remember(call, prepared);
  stage.propose({ type: "tool.requested", request, call, tool, input, stamp });
}

async function finish(job: Asked, stage: Stage, reply: Reply): Promise<void> {
  const { request } = job.effect;
  const { model } = job;
  const blocks = namedBlocks(request, reply.blocks);
  const { phase } = stage.head();
  const known = phase.at === "thinking" ? phase.early : [];
  const stamps: Record<CallId, Stamp> = {};
  const fresh = [];
  for (const [place, use] of blocks.filter(isToolUse).entries()) {
    const early = known[place];
    if (early !== undefined && early.tool === use.tool && sameJson(early.input, use.input)) {
      stamps[use.call] = early.stamp;
      continue;
    }
    const prepared = stage.tools.prepare({ call: use.call, tool: use.tool, input: use.input });
    stamps[use.call] = prepared.stamp;
    fresh.push([use.call, prepared] as const);
  }
  const usage = reply.usage;
  const answer = await checked(job, stage, blocks);
  const fact = await spill(
    {
      type: "response.received" as const,
      request,
      model,
      blocks,
      stop: reply.stop,
      usage,
      costUsd: stage.parts.costUsd(model, usage),
      stamps,
      ...answer,
      warnings: [...stage.agenda.notices(), ...reply.warnings],
    },
    (bytes) => stage.parts.journal.putBlob(bytes),
  );
  if (job.signal.reason === "discard") return;
  stage.crash("model.before_response");
  for (const [call, prepared] of fresh) stage.agenda.remember(call, prepared);
  if (stage.propose(fact)) await clearSpool(stage);
}

/** Only a reply without calls is an answer. A long schema is kept outside the state. */
async function checked(
  { effect }: ModelJob,
  stage: Stage,
  blocks: readonly AssistantBlock[],
): Promise<{ readonly answer?: AnswerCheck }> {
  const { answerSchema } = stage.head().prompt;
  if (effect.purpose !== "turn" || answerSchema === null || blocks.some(isToolUse)) return {};
  const schema = await wholeOrNotes(answerSchema, (hash) => stage.parts.journal.getBlob(hash));
  const problem =
    typeof schema === "string"
      ? await stage.parts.checkAnswer(plainText(blocks), schema)
      : "its schema is gone from the journal.";
  return { answer: { problem } };
}

async function fail(job: Asked, stage: Stage, trouble: Trouble): Promise<void> {
  const { failure, blocks, usage } = trouble;
  const partial = await spill(plainText(blocks), (bytes) => stage.parts.journal.putBlob(bytes));
  if (job.signal.reason === "discard") return;
  const jitter = stage.parts.entropy.jitter();
  const proposed = stage.propose({
    type: "request.failed",
    request: job.effect.request,
    failure,
    partial,
    usage,
    costUsd: usage === null ? null : stage.parts.costUsd(job.model, usage),
    jitter,
    remedy: remedyFor(stage.head(), { failure, jitter }),
  });
  if (proposed) await clearSpool(stage);
}

/** Only when the fact is on disk is the raw text no longer needed. */
async function clearSpool(stage: Stage): Promise<void> {
  await stage.recorded();
  stage.parts.spool.clear();
}
