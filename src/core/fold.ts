import type { Stamped } from "./event.ts";
import { isIllegal } from "./illegal.ts";
import type { State } from "./state.ts";
import { emptyState } from "./initial.ts";
import { transition } from "./transition.ts";

/** Folds facts into a state. Facts that cannot have happened are passed over and listed, by position from 0. */
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
    const next = transition(state, stamped);
    if (isIllegal(next)) refused.push({ index, reason: next.illegal });
    else state = next;
    index += 1;
  }
  return { state, refused };
}
