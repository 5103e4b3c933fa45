import { hiddenFrom, text, type Call, type Json, type ToolEnd } from "#core";
import { bounded } from "../bounded.ts";
import { spill } from "../long-text.ts";
import type { Need } from "../ports.ts";
import { holdsImage, takeImages } from "../take-images.ts";
import { messageOf, type Prepared } from "../toolbox.ts";
import type { Job, Perform, Stage } from "./performer.ts";

type ToolJob = Job<"run_tool">;

/** Time a tool has to end by itself after it was told to stop. */
const graceMs = 2000;

/** Runs one allowed call: its start is on disk before anything happens, its end right after. */
export const runTool: Perform<"run_tool"> = async (job, stage) => {
  const { call } = job.effect;
  const prepared = await stage.agenda.prepared(call);
  const intent = job.effect.begun ? intentOf(call) : await begin(job, stage, prepared);
  if (intent === undefined) return;
  await stage.synced();
  if (job.signal.reason === "discard") return;
  stage.crash("tool.before_run");
  const startedMs = stage.parts.clock.monotonicMs();
  const end = await runWithin(job, stage, { prepared, intent: intent.value });
  stage.crash("tool.after_run");
  const durationMs = Math.round(stage.parts.clock.monotonicMs() - startedMs);
  await finish(job, stage, { end, durationMs });
};

const attemptOf = (job: ToolJob): number =>
  job.effect.begun ? job.effect.call.attempt : job.effect.call.attempt + 1;

const intentOf = (call: Call): { readonly value: Json } | undefined =>
  call.status.at === "started" ? { value: call.status.intent } : undefined;

/** Plans and records the start. Undefined when the call is not wanted any more. */
async function begin(
  job: ToolJob,
  stage: Stage,
  prepared: Prepared,
): Promise<{ readonly value: Json } | undefined> {
  const { call } = job.effect;
  const attempt = attemptOf(job);
  const { stamp } = call;
  if ("invalid" in stamp) return undefined;
  const planned = await plan(prepared, attempt);
  const { recovery } = stamp;
  const started = stage.propose({
    type: "tool.started",
    call: call.id,
    attempt,
    recovery,
    intent: planned.intent,
  });
  if (!started) return undefined;
  if (planned.trouble === null) return { value: planned.intent };
  await finish(job, stage, { end: errorEnd(planned.trouble), durationMs: 0 });
  return undefined;
}

async function plan(
  prepared: Prepared,
  attempt: number,
): Promise<{ readonly intent: Json; readonly trouble: string | null }> {
  try {
    return { intent: await prepared.plan(attempt), trouble: null };
  } catch (error) {
    return { intent: null, trouble: messageOf(error) };
  }
}

const errorEnd = (message: string): ToolEnd => ({
  outcome: "error",
  content: [text(message)],
  effects: [],
});

/** Runs the tool under its time limit. A tool that ignores being told to stop is left behind and said so. */
async function runWithin(
  job: ToolJob,
  stage: Stage,
  what: { readonly prepared: Prepared; readonly intent: Json },
): Promise<ToolEnd> {
  const { call } = job.effect;
  const { clock } = stage.parts;
  const timeoutMs = "invalid" in call.stamp ? 0 : call.stamp.timeoutMs;
  const ended = new AbortController();
  const stopping = new AbortController();
  const onAbort = (): void => stopping.abort(job.signal.reason);
  job.signal.addEventListener("abort", onAbort, { once: true });
  if (job.signal.aborted) onAbort();
  const watch = async (): Promise<ToolEnd> => {
    await Promise.race([clock.sleep(timeoutMs, ended.signal), aborted(stopping.signal)]);
    if (!ended.signal.aborted && !stopping.signal.aborted) stopping.abort("timeout");
    if (!ended.signal.aborted) await clock.sleep(graceMs, ended.signal);
    return stuck(call, stopping.signal.reason === "timeout" ? timeoutMs : null);
  };
  try {
    const run = attempt(() =>
      what.prepared.run({
        call: call.id,
        attempt: attemptOf(job),
        intent: what.intent,
        judged: judgedNeed(call),
        isHidden: hidden(call, stage),
        signal: stopping.signal,
        timeoutMs,
        progress: (output) => stage.signal({ type: "progress", call: call.id, text: output }),
      }),
    );
    return labelled(await Promise.race([run, watch()]), stopping.signal);
  } finally {
    // A reason of our own: without one Node makes an error with its stack, for nobody.
    ended.abort("ended");
    job.signal.removeEventListener("abort", onAbort);
  }
}

/** What permission judged: the stamp is renewed when a decision found that the call reaches something else. */
const judgedNeed = ({ stamp }: Call): Need =>
  "invalid" in stamp
    ? { access: "read", resources: [] }
    : { access: stamp.access, resources: stamp.resources };

function hidden({ tool, input, stamp }: Call, stage: Stage): (path: string) => boolean {
  if ("invalid" in stamp) return () => true;
  const { access, resources } = stamp;
  const policy = stage.parts.policy(stage.head().agent.mode);
  return hiddenFrom(policy, { tool, input, access, resources });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

async function attempt(run: () => Promise<ToolEnd>): Promise<ToolEnd> {
  try {
    return await run();
  } catch (error) {
    return errorEnd(`The tool failed: ${messageOf(error)}`);
  }
}

/** A tool that was told to stop and did not finish its work ended for that reason, whatever it says. */
function labelled(end: ToolEnd, stopping: AbortSignal): ToolEnd {
  if (!stopping.aborted || end.outcome === "ok") return end;
  return { ...end, outcome: stopping.reason === "timeout" ? "timeout" : "interrupted" };
}

const stuck = (call: Call, timeoutMs: number | null): ToolEnd => ({
  ...errorEnd(
    timeoutMs === null
      ? `${call.tool} was interrupted and did not stop in time; it may have done part of its work.`
      : `${call.tool} was stopped after ${timeoutMs / 1000} s without an end; it may have done part of its work.`,
  ),
  outcome: timeoutMs === null ? "interrupted" : "timeout",
});

async function finish(
  job: ToolJob,
  stage: Stage,
  ran: { readonly end: ToolEnd; readonly durationMs: number },
): Promise<void> {
  const { outcome, effects, docs = {} } = ran.end;
  const said = bounded(ran.end.content);
  const { takeImage } = stage.parts;
  const content =
    takeImage !== undefined && holdsImage(said) ? await takeImages(said, takeImage) : said;
  const fact = await spill(
    {
      type: "tool.finished" as const,
      call: job.effect.call.id,
      attempt: attemptOf(job),
      outcome,
      content,
      effects,
      docs,
      durationMs: ran.durationMs,
    },
    (bytes) => stage.parts.journal.putBlob(bytes),
  );
  stage.propose(fact);
}
