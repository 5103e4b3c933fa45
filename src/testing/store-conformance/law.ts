import {
  inputId,
  isPawlError,
  sessionId,
  type Entry,
  type Fact,
  type SessionId,
  type Stamped,
} from "#core";
import type { Journal, Store } from "#runtime";

export interface Law {
  readonly says: string;
  readonly check: (store: Store) => Promise<void>;
}

export const one: SessionId = sessionId("01KB9X5C00AAAAAAAAAAAAAAAA");
export const two: SessionId = sessionId("01KB9X5C00BBBBBBBBBBBBBBBB");
export const three: SessionId = sessionId("01KB9X5D00CCCCCCCCCCCCCCCC");
/** Need not exist: sessions outlive their folders. */
export const cwd = "/pawl-conformance/a";
export const otherCwd = "/pawl-conformance/b";

export const stamped = (fact: Fact): Stamped => ({ at: 1_764_500_000_000, fact });

/** The plainest fact that carries a string. */
export const note = (text: string): Stamped =>
  stamped({ type: "hook.ran", point: "conformance", call: null, note: text });

export const prompt = (text: string): Stamped =>
  stamped({
    type: "input.received",
    input: inputId(1),
    kind: "prompt",
    blocks: [{ type: "text", text }],
  });

export async function entriesOf(journal: Journal, fromSeq?: number): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of journal.read(fromSeq)) entries.push(entry);
  return entries;
}

export const notesIn = (entries: readonly Entry[]): readonly string[] =>
  entries.map(({ fact }) => (fact.type === "hook.ran" ? fact.note : fact.type));

/** A session with some notes, closed again. */
export async function writeSession(
  store: Store,
  session: { readonly id: SessionId; readonly cwd?: string; readonly notes: readonly string[] },
): Promise<void> {
  const journal = await store.create({ id: session.id, cwd: session.cwd ?? cwd });
  await journal.append(session.notes.map(note));
  await journal.close();
}

export const failsWith =
  (code: string) =>
  (error: unknown): boolean =>
    isPawlError(error, code);
