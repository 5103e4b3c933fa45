import { cutPoint, decide, sameJson, type Call, type Decision, type Stamp } from "#core";
import { messageOf } from "../toolbox.ts";
import { spill } from "../long-text.ts";
import type { Perform, Stage } from "./performer.ts";

/** Judges a call by the rules, on what it needs at this very moment. */
export const judge: Perform<"decide"> = async (job, stage) => {
  const { call, early } = job.effect;
  const prepared = await stage.agenda.prepared(call);
  const need = currentNeed(() => prepared.need());
  if ("failed" in need) return deny(stage, call, need.failed);
  const { agent, grants } = stage.head();
  const request = { tool: call.tool, input: call.input, ...need };
  const decision = decide(stage.parts.policy(agent.mode), request, grants);
  // A read that is not simply allowed waits for the whole reply: nobody is asked about half an answer.
  if (early && decision.verdict !== "allow") return;
  if (decision.verdict === "ask") {
    stage.propose({
      type: "permission.asked",
      call: call.id,
      rule: decision.rule,
      reason: decision.reason,
      because: decision.because,
    });
    return;
  }
  record(stage, call, { decision, edited: moved(call, need) });
};

type Needed = Pick<Extract<Stamp, { access: unknown }>, "access" | "resources">;

function currentNeed(need: () => Needed): Needed | { readonly failed: string } {
  try {
    return need();
  } catch (error) {
    return { failed: messageOf(error) };
  }
}

const deny = (stage: Stage, call: Call, why: string): void =>
  record(stage, call, {
    decision: {
      verdict: "deny",
      by: "rule",
      rule: "built-in:unreadable",
      because: null,
      reason: why,
    },
    edited: null,
  });

/** The stamp is renewed when the call now reaches something else than when it was requested. */
function moved(
  call: Call,
  need: Needed,
): { readonly input: Call["input"]; readonly stamp: Stamp } | null {
  if ("invalid" in call.stamp) return null;
  const { access, resources } = need;
  const same = access === call.stamp.access && sameJson(resources, call.stamp.resources);
  return same ? null : { input: call.input, stamp: { ...call.stamp, access, resources } };
}

function record(
  stage: Stage,
  call: Call,
  made: {
    readonly decision: Omit<Decision, "because"> & { readonly because: Decision["because"] | null };
    readonly edited: { readonly input: Call["input"]; readonly stamp: Stamp } | null;
  },
): void {
  const { verdict, ...why } = made.decision;
  if (verdict === "ask") return;
  stage.propose({
    type: "permission.decided",
    call: call.id,
    verdict,
    ...why,
    edited: made.edited,
    grant: null,
  });
}

/** Finds out what became of a call whose end was not recorded. */
export const probe: Perform<"probe"> = async (job, stage) => {
  const { call } = job.effect;
  if (call.status.at !== "unknown") return;
  stage.crash("probe.before");
  const found = await stage.tools.probe(call, call.status.intent);
  stage.crash("probe.after");
  const { verdict, evidence, traces = [] } = found;
  const end = await spill(found.end, (bytes) => stage.parts.journal.putBlob(bytes));
  stage.propose({ type: "tool.probed", call: call.id, verdict, evidence, traces, end });
};

/** A machine that slept notices so soon that the moment has passed: its timers stood still meanwhile. */
const longestSleepMs = 10_000;

/**
 * Until the wall clock shows the moment; or, when somebody sets that clock back, until as much time has passed as
 * there was to wait.
 */
export const wait: Perform<"wait"> = async (job, stage) => {
  const { until, timer } = job.effect;
  const { clock } = stage.parts;
  const endMs = clock.monotonicMs() + (until - clock.now());
  const leftMs = (): number => Math.min(until - clock.now(), endMs - clock.monotonicMs());
  for (let ms = leftMs(); ms > 0; ms = leftMs()) {
    await clock.sleep(Math.min(ms, longestSleepMs), job.signal);
    if (job.signal.aborted) return;
  }
  stage.propose({ type: "timer.fired", timer });
};

export const cutContext: Perform<"cut_context"> = async (_job, stage) => {
  const state = stage.head();
  if (state.phase.at !== "compacting") return;
  const { summary } = state.phase;
  stage.propose({
    type: "context.compacted",
    from: cutPoint(state),
    summary,
    how: summary === null ? "drop" : "summary",
  });
};
