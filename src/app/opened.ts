import type { Entry, Policy } from "#core";
import type { Session } from "#runtime";
import type { Attached } from "./attach-images.ts";
import type { Settings } from "./config/index.ts";

/** An open session, with what a face needs beside it. Whoever opened it closes it. */
export interface OpenedSession {
  readonly session: Session;
  /** Number of the first entry that this process writes. */
  readonly firstSeq: number;
  /** Entries from `fromSeq` on, as they are in the journal. */
  entries(fromSeq: number): AsyncIterable<Entry>;
  /** Puts long texts back where the journal only names them. */
  whole<T>(value: T): Promise<T>;
  /** The images that a person's words mention. */
  attach(said: string): Promise<Attached>;
  /** The rules that hold now. */
  policy(): Policy;
  /** Who answers a question from now on. */
  setQuestions(who: Policy["questions"]): void;
  readonly settings: Settings;
  /** Sentences for the user: what was ignored, what is unknown, what was repaired. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}
