import type { Stamped } from "./event.ts";
import { illegal, isIllegal, type Illegal } from "./illegal.ts";
import type { State } from "./state.ts";
import { emptyState } from "./initial.ts";
import { transition } from "./transition.ts";

/** Folds facts into a state. Facts that cannot have happened, or are not what they claim to be, are passed over and listed, by position from 0. */
export function fold(
  facts: Iterable<Stamped>,
  from: State = emptyState,
): {
  readonly state: State;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
} {
  let state = from;
  const refused: { index: number; reason: string }[] = [];
  let index = 0;
  for (const stamped of facts) {
    const next = transitionOf(numbered(state, stamped), stamped);
    if (isIllegal(next)) refused.push({ index, reason: next.illegal });
    else state = next;
    index += 1;
  }
  return { state, refused };
}

/**
 * Facts are counted as the journal numbers them. Where lines of it were damaged or refused, the count moves on, so
 * that a number means the same line everywhere.
 */
function numbered(state: State, stamped: Stamped & { readonly seq?: number }): State {
  const { seq } = stamped;
  return state.seq === 0 || seq === undefined || seq <= state.seq + 1
    ? state
    : { ...state, seq: seq - 1 };
}

/** Facts from a disk may lack what their type promises; such a fact is refused like one that cannot have happened. */
function transitionOf(state: State, stamped: Stamped): State | Illegal {
  try {
    return transition(state, stamped);
  } catch (error) {
    return illegal(`malformed fact: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}
