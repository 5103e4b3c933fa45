/** Real session folders in a temporary home, for the tests beside this file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { jsonlStore } from "#adapters/stores";
import { systemClock } from "#adapters/system";
import { sessionId, type Entry, type SessionId, type Stamped } from "#core";
import type { Journal, Store } from "#runtime";

export const clock: ReturnType<typeof systemClock> = systemClock();
export const id: SessionId = sessionId("01KB9X5C00AAAAAAAAAAAAAAAA");
export const otherId: SessionId = sessionId("01KB9X5C00BBBBBBBBBBBBBBBB");

export const note = (text: string): Stamped => ({
  at: 1_764_500_000_000,
  fact: { type: "hook.ran", point: "test", call: null, note: text },
});

export const notesIn = (entries: readonly Entry[]): string[] =>
  entries.map(({ fact }) => (fact.type === "hook.ran" ? fact.note : fact.type));

export async function entriesOf(journal: Journal): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of journal.read()) entries.push(entry);
  return entries;
}

export interface Home {
  readonly home: string;
  readonly cwd: string;
  readonly store: Store;
}

/** Removed when the tests of the file have run. */
export function makeHome(): Home {
  const home = mkdtempSync(join(tmpdir(), "pawl-home-"));
  after(() => rmSync(home, { recursive: true }));
  return { home, cwd: home, store: jsonlStore({ home, clock }) };
}

/** A closed session whose journal file the test may damage. */
export interface OnDisk extends Home {
  readonly folder: string;
  readonly path: string;
  /** The journal as it was written, and its lines without their newlines. */
  readonly bytes: Buffer;
  readonly lines: readonly string[];
  readonly entries: readonly Entry[];
  readonly damage: (bytes: string | Uint8Array) => void;
}

export async function writeSession(notes: readonly string[]): Promise<OnDisk> {
  const home = makeHome();
  const journal = await home.store.create({ id, cwd: home.cwd });
  const entries: Entry[] = [];
  for (const text of notes) entries.push(...(await journal.append([note(text)])));
  await journal.close();
  const folder = journal.folder ?? "";
  const path = join(folder, "journal.jsonl");
  const bytes = readFileSync(path);
  const lines = bytes.toString().split("\n").slice(0, -1);
  return {
    ...home,
    folder,
    path,
    bytes,
    lines,
    entries,
    damage: (changed) => writeFileSync(path, changed),
  };
}

/** Opens, reads all and closes. */
export async function readBack(
  { store }: Home,
  mode: "reader" | "writer" = "reader",
): Promise<{ readonly notes: string[]; readonly damage: readonly string[] }> {
  const journal = await store.open(id, mode);
  try {
    const notes = notesIn(await entriesOf(journal));
    return { notes, damage: journal.damage.map(({ kind, line }) => `${kind} ${line}`) };
  } finally {
    await journal.close();
  }
}
