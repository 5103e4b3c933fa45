import { type Entry, isIllegal, isRunning, type State, transition } from "#core";

/** A run that has come to its end, in the state it ended in. */
export interface RunEnd {
  readonly state: State;
  /** How many prompts it answered: one, and those that joined it while it worked. */
  readonly prompts: number;
}

/**
 * Follows the entries of a session and tells the ends of its runs. A queued prompt begins in the very fact that ends
 * the run before it: the end is then what would hold if nothing had been queued.
 * @param from the state before the first entry
 */
export function runEnds(from: State): (entry: Entry) => RunEnd | null {
  let state = from;
  let open = isRunning(from) ? 1 + from.inbox.length : 0;
  const end = (ended: State, queued: number): RunEnd => {
    const prompts = Math.max(1, open - queued);
    open = queued;
    return { state: ended, prompts };
  };
  return (entry) => {
    const before = state;
    const { fact } = entry;
    const next = transition(before, entry);
    // It changes nothing, and is counted all the same.
    state = isIllegal(next) ? { ...before, seq: entry.seq } : next;
    if (isIllegal(next)) return null;
    if (fact.type === "input.received" && fact.kind === "prompt") open += 1;
    if (fact.type === "input.received" && fact.kind === "continue") open += 1;
    if (fact.type === "input.withdrawn") open -= fact.inputs.length;
    if (!isRunning(before)) return null;
    if (!isRunning(next)) return end(next, next.inbox.length);
    if (next.prompt.seq === before.prompt.seq) return null;
    const alone = transition({ ...before, inbox: [] }, entry);
    return isIllegal(alone) || isRunning(alone) ? null : end(alone, before.inbox.length);
  };
}
