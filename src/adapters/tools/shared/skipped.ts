import { walk, type WalkEntry, type WalkOptions } from "./walk.ts";
import { countOf } from "./ends.ts";

/** What a search did not look into. A folder counts once. */
export interface Skipped {
  readonly ignored: readonly string[];
  readonly links: readonly string[];
  readonly denied: readonly string[];
  /** Files and folders that a permission rule keeps back. */
  readonly hidden: number;
  /** Our own worktrees. */
  readonly own: boolean;
  /** The whole tree was looked at; else there may be more. */
  readonly isComplete: boolean;
}

/** Gathers what a walk skips. */
export function skippedCounter(): { add(entry: WalkEntry): void; result(all: boolean): Skipped } {
  const ignored: string[] = [];
  const links: string[] = [];
  const denied: string[] = [];
  let hidden = 0;
  let own = false;
  return {
    add({ path, kind, skipped }) {
      if (skipped === "ignored") ignored.push(path);
      else if (skipped === "denied") denied.push(path);
      else if (skipped === "hidden") hidden += 1;
      else if (skipped === "own") own = true;
      else if (kind === "link") links.push(path);
    },
    result: (isComplete) => ({ ignored, links, denied, hidden, own, isComplete }),
  };
}

/** Entries that are looked at beside a search, so that a large tree costs no more than a small one. */
const mostSurveyed = 5000;
/** Milliseconds the look may go on after the search has ended. */
const surveyMs = 250;

/** Looks for what a search skips while the search runs; a tree that is not huge is seen whole. */
export async function surveyWhile(
  search: Promise<unknown>,
  options: Omit<WalkOptions, "depth">,
): Promise<Skipped> {
  const counter = skippedCounter();
  let endsAtMs = Number.POSITIVE_INFINITY;
  const ended = search.then(
    () => (endsAtMs = performance.now() + surveyMs),
    () => (endsAtMs = 0),
  );
  let seen = 0;
  const isComplete = await walk({ ...options, depth: Number.POSITIVE_INFINITY }, (entry) => {
    counter.add(entry);
    seen += 1;
    return seen < mostSurveyed && performance.now() < endsAtMs ? "more" : "enough";
  });
  await ended;
  return counter.result(isComplete);
}

export interface HiddenWatch {
  readonly isHidden: (path: string) => boolean;
  /** What was skipped, with what the search kept back in folders that no look at the tree came to. */
  added(skipped: Skipped): Skipped;
}

/** Remembers what a search keeps back. */
export function watchHidden(isHidden: (path: string) => boolean): HiddenWatch {
  const kept = new Set<string>();
  return {
    isHidden(path) {
      const is = isHidden(path);
      if (is) kept.add(path);
      return is;
    },
    added: (skipped) =>
      skipped.isComplete ? skipped : { ...skipped, hidden: Math.max(skipped.hidden, kept.size) },
  };
}

/** Their names stay back too. */
export const hiddenNote = (count: number): string =>
  `${countOf(count, "path")} left out: a permission rule keeps ${count === 1 ? "it" : "them"} back`;

/** The notes about what was skipped, for the end of an answer. */
export function skippedNotes(
  skipped: Skipped,
  rules: "kept" | "off",
  named: (path: string) => string,
): readonly string[] {
  const { ignored, links, denied, hidden, own, isComplete } = skipped;
  const someOf = (paths: readonly string[]): string =>
    paths.slice(0, 3).map(named).join(", ") + (paths.length > 3 ? ", …" : "");
  const least = isComplete ? "" : "at least ";
  const notes: string[] = [];
  if (ignored.length > 0 && rules === "kept") {
    notes.push(
      `${least}${countOf(ignored.length, "path")} skipped by ignore rules (${someOf(ignored)}): include_ignored ` +
        "searches them too",
    );
  }
  if (hidden > 0) notes.push(`${least}${hiddenNote(hidden)}`);
  if (denied.length > 0)
    notes.push(
      `${least}${countOf(denied.length, "path")} skipped, no permission: ${someOf(denied)}`,
    );
  if (links.length > 0) {
    notes.push(`${least}${countOf(links.length, "symbolic link")} not followed: ${someOf(links)}`);
  }
  if (own) notes.push(".pawl/worktrees skipped: copies that belong to other sessions");
  return notes;
}
