import { isSettled, mayProceed, type Call } from "./call.ts";
import type { Effect, EffectOf, StopWish } from "./effect.ts";
import { deadlineTimer } from "./id.ts";
import type { State } from "./state.ts";

/**
 * What the world still owes this state. Nothing else remembers work: a new process asks the folded state and goes
 * on from there (law L5).
 */
export function outstanding(state: State): readonly Effect[] {
  const effects = [...owedByPhase(state), ...jobs(state)];
  const deadline = deadlineOf(state);
  return deadline === null ? effects : [...effects, deadline];
}

function owedByPhase(state: State): readonly Effect[] {
  const { phase } = state;
  const stop = state.interrupt ?? "no";
  switch (phase.at) {
    case "idle":
    case "stopped":
      return [];
    case "thinking": {
      const { request, attempt, started: begun, final, early } = phase;
      const model: Effect = {
        type: "call_model",
        id: `model:${request}`,
        request,
        purpose: "turn",
        attempt,
        tools: !final,
        begun,
        stop,
      };
      return [model, ...callEffects(early, stop, "early")];
    }
    case "compacting": {
      const { request, attempt, started: begun, step } = phase;
      if (step === "cut") return [{ type: "cut_context", id: `cut:${request}`, stop }];
      return [
        {
          type: "call_model",
          id: `model:${request}`,
          request,
          purpose: "compaction",
          attempt,
          tools: false,
          begun,
          stop,
        },
      ];
    }
    case "backing_off":
      return [
        { type: "wait", id: `wait:${phase.timer}`, timer: phase.timer, until: phase.until, stop },
      ];
    case "acting":
      return callEffects(phase.calls, stop, "whole");
    default:
      return phase satisfies never;
  }
}

function callEffects(
  calls: readonly Call[],
  stop: StopWish,
  reply: "early" | "whole",
): readonly Effect[] {
  return calls.flatMap((call, index) => {
    const effect = mayProceed(calls, index) ? callEffect(call, stop, reply) : null;
    return effect === null ? [] : [effect];
  });
}

function callEffect(call: Call, stop: StopWish, reply: "early" | "whole"): Effect | null {
  const { status } = call;
  switch (status.at) {
    case "requested":
      return {
        type: "decide",
        id: `decide:${call.id}:${reply}`,
        call,
        early: reply === "early",
        stop,
      };
    case "asked":
      return { type: "ask", id: `ask:${call.id}`, call, stop };
    case "allowed":
      return { type: "run_tool", id: runId(call, call.attempt + 1), call, begun: false, stop };
    case "started":
      return { type: "run_tool", id: runId(call, call.attempt), call, begun: true, stop };
    case "unknown":
      return { type: "probe", id: `probe:${call.id}#${call.attempt}`, call, stop };
    case "settled":
      return null;
    default:
      return status satisfies never;
  }
}

const runId = (call: Call, attempt: number): string => `run:${call.id}#${attempt}`;

const jobs = (state: State): readonly Effect[] =>
  Object.values(state.jobs).map((job) => ({
    type: "watch_job",
    id: `job:${job.id}`,
    job: job.id,
    stop: "no",
  }));

/** The wall-clock limit, while it runs. */
export function deadlineOf(state: State): EffectOf<"wait"> | null {
  const { timeMs } = state.agent.limits;
  if (timeMs === null || state.prompt.timeUp || !isActive(state) || isAfterStop(state)) return null;
  const timer = deadlineTimer(state.prompt.seq);
  const until = state.at + Math.max(0, timeMs - state.prompt.activeMs);
  return { type: "wait", id: `wait:${timer}`, timer, until, stop: "no" };
}

/** A summary that the user asked for at a stop: no limit of the prompt forbids it. */
const isAfterStop = ({ phase }: State): boolean =>
  (phase.at === "compacting" || phase.at === "backing_off") && phase.after.at === "stopped";

/** True while anything but a person is awaited: that time counts against the limit. */
export function isActive(state: State): boolean {
  const { phase } = state;
  if (phase.at === "idle" || phase.at === "stopped") return false;
  if (phase.at !== "acting") return true;
  return phase.calls.some(
    (call, index) =>
      !isSettled(call) && call.status.at !== "asked" && mayProceed(phase.calls, index),
  );
}
