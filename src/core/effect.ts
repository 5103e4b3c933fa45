import type { Call } from "./call.ts";
import type { Purpose } from "./event.ts";
import type { EpochMs, JobId, RequestId, TimerId } from "./id.ts";

/** How urgently an effect should end. */
export type StopWish = "no" | "graceful" | "now";

/**
 * Work owed to the world. Each ends in exactly one fact. `id` is a function of the state, so the same work
 * has the same id in every process. `begun`: its start is already a fact.
 */
export type Effect =
  | {
      readonly type: "call_model";
      readonly id: string;
      readonly request: RequestId;
      readonly purpose: Purpose;
      readonly attempt: number;
      readonly tools: boolean;
      readonly begun: boolean;
      readonly stop: StopWish;
    }
  /** Judge by the rules. An early call that is not allowed outright stays undecided until the reply is whole. */
  | {
      readonly type: "decide";
      readonly id: string;
      readonly call: Call;
      readonly early: boolean;
      readonly stop: StopWish;
    }
  /** Wait for a person. */
  | { readonly type: "ask"; readonly id: string; readonly call: Call; readonly stop: StopWish }
  | {
      readonly type: "run_tool";
      readonly id: string;
      readonly call: Call;
      readonly begun: boolean;
      readonly stop: StopWish;
    }
  | { readonly type: "probe"; readonly id: string; readonly call: Call; readonly stop: StopWish }
  | {
      readonly type: "wait";
      readonly id: string;
      readonly timer: TimerId;
      readonly until: EpochMs;
      readonly stop: StopWish;
    }
  | { readonly type: "cut_context"; readonly id: string; readonly stop: StopWish }
  | {
      readonly type: "watch_job";
      readonly id: string;
      readonly job: JobId;
      readonly stop: StopWish;
    };

export type EffectType = Effect["type"];
export type EffectOf<T extends EffectType> = Extract<Effect, { readonly type: T }>;
