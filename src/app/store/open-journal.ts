import { type Agent, PawlError, type SessionId } from "#core";
import { type Found, type Journal, lookInto, type SessionInfo, type Store } from "#runtime";
import type { OpenRequest } from "../open-request.ts";

interface JournalPlace {
  readonly chosen: SessionInfo | null;
  readonly cwd: string;
  readonly newId: SessionId;
}

/** The journal of a new session, or of a fork. */
export async function makeJournal(
  store: Store,
  { which, settings }: OpenRequest,
  { chosen, cwd, newId }: JournalPlace,
): Promise<Journal> {
  if (chosen === null || which.at !== "fork") return store.create({ id: newId, cwd });
  const source = await store.open(chosen.id, "reader");
  const last = source.seq;
  await source.close();
  const seq = which.seq ?? last;
  if (seq < 1 || seq > last) {
    throw new PawlError("usage", settings.words.session.noSuchStep(chosen.id, seq, last));
  }
  return store.fork({ id: chosen.id, seq }, { id: newId, cwd });
}

/** What the session says that is forked; null for a new one. */
export async function lookIntoSource(
  store: Store,
  chosen: SessionInfo | null,
): Promise<Found | null> {
  if (chosen === null) return null;
  const journal = await store.open(chosen.id, "reader");
  try {
    return await lookInto(journal);
  } finally {
    await journal.close();
  }
}

/** Who the agent was when the journal was written last; null when nothing was written yet. */
export const agentIn = (found: Found | null): Agent | null =>
  found === null || found.state.seq === 0 ? null : found.state.agent;
