import type { Effect, EffectType, Fact, State } from "#core";
import type { SessionParts, Signal } from "../api.ts";
import type { Agenda } from "../agenda.ts";
import type { Toolbox } from "../toolbox.ts";

/** What a performer may use. It ends its effect by proposing one fact. */
export interface Stage {
  readonly parts: SessionParts;
  readonly tools: Toolbox;
  readonly agenda: Agenda;
  /** The state as it will be on disk. */
  head(): State;
  /** False when the fact cannot have happened (any more): then the performer just returns. */
  propose(fact: Fact): boolean;
  /** Resolves when everything proposed is on disk. No effect on the world before that. */
  synced(): Promise<void>;
  /** The same without hurry: what follows may share the sync. */
  recorded(): Promise<void>;
  signal(signal: Signal): void;
  /** Passes a named place where tests kill the process. */
  crash(point: string): void;
}

export interface Job<T extends EffectType> {
  readonly effect: Extract<Effect, { readonly type: T }>;
  /** Aborts with `interrupt` when the effect should end now, with `discard` when nobody wants its end any more. */
  readonly signal: AbortSignal;
}

/** Runs one effect to its end. A rejection is a fault of the engine. */
export type Perform<T extends EffectType> = (job: Job<T>, stage: Stage) => Promise<void>;
