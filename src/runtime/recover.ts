import { fold, isRunning, openCalls, PawlError, type Entry, type Fact, type State } from "#core";
import type { Found } from "./api.ts";
import type { Journal } from "./ports.ts";

/**
 * What died with the process that wrote this state, as facts. Early reads are not among them: they go with their
 * request and are harmless.
 */
export function lostFacts(state: State, partial: string): readonly Fact[] {
  const { phase } = state;
  if (phase.at === "thinking" || (phase.at === "compacting" && phase.step === "summarise")) {
    return phase.started ? [{ type: "request.lost", request: phase.request, partial }] : [];
  }
  return lostCalls(state).map((call) => ({
    type: "tool.lost",
    call: call.id,
    attempt: call.attempt,
  }));
}

const lostCalls = (state: State): ReturnType<typeof openCalls> =>
  state.phase.at === "acting"
    ? openCalls(state).filter((call) => call.status.at === "started")
    : [];

/** What a state says its last writer left open. */
const foundIn = (state: State, refused: number): Found => ({
  state,
  refused,
  running: isRunning(state),
  lostCalls: lostCalls(state).map((call) => call.id),
  lostRequest: state.phase.at === "thinking" && state.phase.started,
});

/**
 * What a journal says its last writer left open; changes nothing.
 * @throws PawlError `journal_unreadable` when its first fact is gone: without it no other can be understood
 */
export async function lookInto(journal: Journal): Promise<Found> {
  const entries: Entry[] = [];
  for await (const entry of journal.read()) entries.push(entry);
  const { state, refused } = fold(entries);
  if (state.seq > 0 || entries.length === 0) {
    // Lines at the end that were refused are counted too: the next fact is numbered as the journal numbers it.
    return foundIn(state.seq === 0 ? state : { ...state, seq: journal.seq }, refused.length);
  }
  throw new PawlError(
    "journal_unreadable",
    `The first step of session ${journal.id} is damaged, so the rest cannot be understood. Its file is left as it is. Start a new session.`,
    { values: { path: journal.id } },
  );
}
