import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { diskName, showName } from "../../workspace/index.ts";
import { ignoreRules, noRules, type IgnoreRules } from "./ignore-rules.ts";

/** Something below the folder that is walked. */
export interface WalkEntry {
  /** Relative, with `/`, as it is shown. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Why the walk does not go into it, or leaves it out; null when it does not. */
  readonly skipped: "ignored" | "own" | "git" | "denied" | "hidden" | null;
}

export interface WalkOptions {
  /** Real path of the folder: decides which rules hold. */
  readonly folder: string;
  /** Path by which the folder is entered. */
  readonly by: string;
  readonly rules: "kept" | "off";
  /** Levels below the folder; 1 = only what is directly inside. */
  readonly depth: number;
  /** By real path: what no search may show. */
  readonly isHidden: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/** Gets everything in turn; the walk waits for it. */
export type Visit = (entry: WalkEntry) => Promise<"more" | "enough"> | "more" | "enough";

/** Temporary files of a write under way: never shown. */
const temporary = /^\.pawl-tmp-[0-9a-f]{16}$/;

/**
 * Visits everything below a folder, depth first, names in the order of their bytes. Links are named and not
 * followed, so circles end. Ignored folders, `.git` and our own worktrees are named and not entered. False when
 * it was ended before everything was seen.
 */
export async function walk(options: WalkOptions, visit: Visit): Promise<boolean> {
  const rules = options.rules === "kept" ? ignoreRules(options.folder) : noRules;
  return await walkFolder({ options, visit }, { at: "", level: 1, rules });
}

interface Place {
  /** Relative path of the folder, empty for the first. */
  readonly at: string;
  readonly level: number;
  readonly rules: IgnoreRules;
}

interface Walk {
  readonly options: WalkOptions;
  readonly visit: Visit;
}

async function walkFolder(how: Walk, place: Place): Promise<boolean> {
  const { options, visit } = how;
  const entries = await entriesOf(join(options.by, place.at));
  if (entries === null) {
    return (await visit({ path: place.at, kind: "folder", skipped: "denied" })) === "more";
  }
  for (const entry of entries) {
    if (options.signal.aborted) return false;
    const name = showName(entry.name);
    if (temporary.test(name)) continue;
    const path = place.at === "" ? name : `${place.at}/${name}`;
    const kind = kindOf(entry);
    const skipped = options.isHidden(join(options.folder, path))
      ? "hidden"
      : skipReason({ name, path, kind, rules: place.rules });
    const wish = visit({ path, kind, skipped });
    if ((typeof wish === "string" ? wish : await wish) === "enough") return false;
    if (kind !== "folder" || skipped !== null || place.level >= options.depth) continue;
    const inside = { at: path, level: place.level + 1, rules: place.rules.inside(name) };
    if (!(await walkFolder(how, inside))) return false;
  }
  return true;
}

async function entriesOf(folder: string): Promise<readonly Dirent<Buffer>[] | null> {
  try {
    const entries = await readdir(diskName(folder), { withFileTypes: true, encoding: "buffer" });
    return entries.toSorted((a, b) => Buffer.compare(a.name, b.name));
  } catch {
    // Not to be read, or gone: the visitor counts it.
    return null;
  }
}

function kindOf(entry: Dirent<Buffer>): WalkEntry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

function skipReason(entry: {
  readonly name: string;
  readonly path: string;
  readonly kind: WalkEntry["kind"];
  readonly rules: IgnoreRules;
}): WalkEntry["skipped"] {
  const { name, path, kind, rules } = entry;
  if (name === ".git") return "git";
  if (kind === "folder" && /(?:^|\/)\.pawl\/worktrees$/.test(path)) return "own";
  return rules.isIgnored(name, kind === "folder" ? "folder" : "file") ? "ignored" : null;
}
