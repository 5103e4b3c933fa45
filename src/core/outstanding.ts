import { nextCalls, type Call, type OpenCall } from "./call.ts";
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
      return [model, ...callEffects({ calls: early, settled: 0 }, stop, "early")];
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
      return callEffects(phase, stop, "whole");
    default:
      return phase satisfies never;
  }
}

function callEffects(
  { calls, settled }: { readonly calls: readonly Call[]; readonly settled: number },
  stop: StopWish,
  reply: "early" | "whole",
): readonly Effect[] {
  return nextCalls(calls, settled).map(({ call }) => callEffect(call, stop, reply));
}

function callEffect(call: OpenCall, stop: StopWish, reply: "early" | "whole"): Effect {
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
  const { calls, settled } = phase;
  return nextCalls(calls, settled).some(({ call }) => call.status.at !== "asked");
}
