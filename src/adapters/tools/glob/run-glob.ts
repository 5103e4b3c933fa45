import { join } from "node:path";
import type { ToolEnd } from "#core";
import type { ToolContext } from "#runtime";
import { isTrouble, shownPath } from "../../workspace/index.ts";
import { mostCharacters } from "../shared/cap-text.ts";
import { countOf, done, failed, stopped } from "../shared/ends.ts";
import { heldSearch, type HeldSearch } from "../shared/held-search.ts";
import { sortedByPath } from "../shared/path-order.ts";
import { pathFilter, slowPattern } from "../shared/path-filter.ts";
import { pathOf, ripgrep, type RipgrepPrograms } from "../shared/ripgrep.ts";
import {
  skippedCounter,
  skippedNotes,
  surveyWhile,
  watchHidden,
  type Skipped,
} from "../shared/skipped.ts";
import { walk } from "../shared/walk.ts";

export interface WantedFiles {
  readonly pattern: string;
  /** Folder to search, or the very file. */
  readonly base: string;
  readonly rest: string | null;
  readonly rules: "kept" | "off";
}

const mostPaths = 1000;
const mostShown = mostCharacters - 1500;

export async function runGlob(
  wanted: WantedFiles,
  context: ToolContext<null>,
  programs: RipgrepPrograms,
): Promise<ToolEnd> {
  const { signal, cwd } = context;
  const search = await heldSearch(wanted.base, context);
  if (isTrouble(search)) {
    return search.code === "file_not_found"
      ? done(`No file matches ${wanted.pattern}. ${search.message}`)
      : failed(search);
  }
  try {
    if (wanted.rest === null) return exactly(search, cwd);
    if (search.file !== null)
      return done(`No file matches: ${shownPath(wanted.base, cwd)} is a file.`);
    const how = { signal, programs, isHidden: context.isHidden };
    const { files, skipped } = await listFiles(search, wanted.rules, how);
    if (signal.aborted) return stopped(signal, "Stopped while searching.");
    const filter = await pathFilter(wanted.rest);
    const hits = filter(files);
    if (hits === null) return failed({ message: slowPattern });
    const deeper =
      hits.length > 0 || wanted.rest.includes("/") ? [] : await anywhere(wanted, files);
    const named = (path: string): string => shownPath(join(search.folder, path), cwd);
    const notes = [...deeper, ...skippedNotes(skipped, wanted.rules, named)];
    return done(report(wanted, { paths: sortedByPath(hits), named }, notes));
  } finally {
    await search.close();
  }
}

function exactly(search: HeldSearch, cwd: string): ToolEnd {
  const shown = shownPath(search.folder, cwd);
  return search.file === null
    ? done(`${shown}/\n[this is a folder: list shows what is in it]`)
    : done(shownPath(join(search.folder, search.file), cwd));
}

/** Files below the folder that the rules do not hide, and what they hide. */
async function listFiles(
  search: HeldSearch,
  rules: "kept" | "off",
  how: {
    readonly signal: AbortSignal;
    readonly programs: RipgrepPrograms;
    readonly isHidden: (path: string) => boolean;
  },
): Promise<{ readonly files: readonly string[]; readonly skipped: Skipped }> {
  const { signal, programs, isHidden } = how;
  const options = { folder: search.folder, by: search.by, rules, isHidden, signal };
  const files: string[] = [];
  const kept = watchHidden(isHidden);
  const listing = ripgrep({
    options: ["--files", "--null", ...(rules === "off" ? ["--no-ignore"] : []), "."],
    by: search.by,
    separator: 0,
    signal,
    programs,
    onRecord(record) {
      const path = pathOf(record);
      if (!kept.isHidden(join(search.folder, path))) files.push(path);
      return "more";
    },
  });
  const skipped = await surveyWhile(listing, options);
  if ((await listing) !== null) return { files, skipped: kept.added(skipped) };
  const counter = skippedCounter();
  await walk({ ...options, depth: Number.POSITIVE_INFINITY }, (entry) => {
    counter.add(entry);
    if (entry.kind === "file" && entry.skipped === null) files.push(entry.path);
    return "more";
  });
  return { files, skipped: counter.result(true) };
}

/** A bare name pattern means this folder only; what it would find below is worth a word. */
async function anywhere(wanted: WantedFiles, files: readonly string[]): Promise<readonly string[]> {
  const filter = await pathFilter(`**/${wanted.rest}`);
  const below = filter(files)?.length ?? 0;
  return below === 0
    ? []
    : [`**/${wanted.rest} would match ${countOf(below, "file")} in folders below`];
}

function report(
  { pattern }: WantedFiles,
  found: { readonly paths: readonly string[]; named(path: string): string },
  notes: readonly string[],
): string {
  const shown: string[] = [];
  let characters = 0;
  for (const path of found.paths) {
    const name = found.named(path);
    characters += name.length + 1;
    if (shown.length === mostPaths || characters > mostShown) break;
    shown.push(name);
  }
  const all = found.paths.length;
  const more =
    shown.length < all
      ? [`${shown.length} of ${all} files shown: narrow the pattern or the path`]
      : [];
  const lines = shown.length === 0 ? [`No file matches ${pattern}.`] : shown;
  return [...lines, ...[...more, ...notes].map((note) => `[${note}]`)].join("\n");
}
