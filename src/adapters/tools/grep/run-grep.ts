import { join } from "node:path";
import type { ToolEnd } from "#core";
import type { ToolContext } from "#runtime";
import { isTrouble, shownPath, type Trouble } from "../../workspace/index.ts";
import { mostCharacters } from "../shared/cap-text.ts";
import { countOf, done, failed, stopped } from "../shared/ends.ts";
import { heldSearch, type HeldSearch } from "../shared/held-search.ts";
import { pathFilter, type PathFilter } from "../shared/path-filter.ts";
import type { RipgrepPrograms } from "../shared/ripgrep.ts";
import { skippedNotes, surveyWhile, watchHidden, type Skipped } from "../shared/skipped.ts";
import { searchWithRipgrep } from "./ripgrep-search.ts";
import { countsAsMatch, type Found, type Hit, type Search, type Wanted } from "./wanted.ts";

/** Room for the notes. */
const mostShown = mostCharacters - 1500;

export async function runGrep(
  wanted: Wanted,
  context: ToolContext<null>,
  programs: RipgrepPrograms,
): Promise<ToolEnd> {
  const { signal, cwd } = context;
  const held = await heldSearch(wanted.path, context);
  if (isTrouble(held)) return failed(held);
  try {
    const filter = await globFilter(wanted.glob);
    const { isHidden } = context;
    const kept = watchHidden(isHidden);
    const how = { held, filter, isHidden: kept.isHidden, signal, programs };
    const searching = search(wanted, how);
    const survey = { folder: held.folder, by: held.by, rules: wanted.rules, isHidden, signal };
    const skipped = held.file === null ? await surveyWhile(searching, survey) : null;
    const found = await searching;
    if (signal.aborted) return stopped(signal, "Stopped while searching.");
    if (isTrouble(found)) return failed(found);
    return done(report(wanted, found, { held, cwd, skipped: skipped && kept.added(skipped) }));
  } finally {
    await held.close();
  }
}

async function search(wanted: Wanted, how: Search): Promise<Found | Trouble> {
  const found = await searchWithRipgrep(wanted, how);
  if (found !== null) return found;
  const { searchWithoutRipgrep } = await import("./built-in-search.ts");
  return await searchWithoutRipgrep(wanted, how);
}

/** As in ignore files: without a slash a pattern means names in any folder, with `!` in front what not to search. */
async function globFilter(glob: string | null): Promise<PathFilter | null> {
  if (glob === null || glob === "") return null;
  const isExcluding = glob.startsWith("!");
  const pattern = (isExcluding ? glob.slice(1) : glob).replace(/^\.?\//, "");
  const filter = await pathFilter(pattern.includes("/") ? pattern : `**/${pattern}`);
  if (!isExcluding) return filter;
  return (paths) => {
    const out = new Set(filter(paths) ?? paths);
    return paths.filter((path) => !out.has(path));
  };
}

function report(
  wanted: Wanted,
  found: Found,
  where: { readonly held: HeldSearch; readonly cwd: string; readonly skipped: Skipped | null },
): string {
  const { held, cwd, skipped } = where;
  const named = (path: string): string => shownPath(join(held.folder, path), cwd);
  const page = newPage();
  const matches = found.hits.filter(countsAsMatch).length;
  for (const hit of found.hits) if (!addHit(page, hit, named)) break;
  const shown = page.matches;
  const notes: string[] = [];
  if (found.more || shown < matches) {
    const [one, several] = wanted.mode === "lines" ? ["match", "matches"] : ["file", "files"];
    const what = shown === 1 ? `the first ${one} is` : `the first ${shown} ${several} are`;
    const raise = shown < matches ? "" : ` or raise limit (${wanted.limit})`;
    notes.push(`${what} shown, there are more: narrow pattern or path${raise}`);
  }
  if (page.binary.length > 0) {
    const [count, names] = [page.binary.length, page.binary.slice(0, 3).join(", ")];
    notes.push(
      `${countOf(count, "binary file")} ${count === 1 ? "matches" : "match"} too: ${names}`,
    );
  }
  if (found.by === "built_in") {
    notes.push(
      "ripgrep is missing, so the slower built-in search was used, with JavaScript's expressions",
    );
  }
  if (skipped !== null) notes.push(...skippedNotes(skipped, wanted.rules, named));
  if (page.lines.length === 0 && page.binary.length === 0)
    page.lines.push(`No match for ${wanted.pattern}.`);
  return [...page.lines, ...notes.map((note) => `[${note}]`)].join("\n");
}

interface Page {
  readonly lines: string[];
  readonly binary: string[];
  characters: number;
  matches: number;
  /** The file whose lines come now. */
  path: string | null;
  /** Lines of that file were left out since the last one. */
  gap: boolean;
}

const newPage = (): Page => ({
  lines: [],
  binary: [],
  characters: 0,
  matches: 0,
  path: null,
  gap: false,
});

/** False when there is no more room. */
function addHit(page: Page, hit: Hit, named: (path: string) => string): boolean {
  switch (hit.type) {
    case "binary":
      page.binary.push(named(hit.path));
      page.matches += 1;
      return true;
    case "file": {
      const count = hit.count === null ? "" : `: ${hit.count}`;
      return addLine(page, `${named(hit.path)}${count}`, "match");
    }
    case "gap":
      page.gap = true;
      return true;
    case "line":
      return addHeading(page, hit.path, named) && addText(page, hit);
    default:
      return hit satisfies never;
  }
}

function addHeading(page: Page, path: string, named: (path: string) => string): boolean {
  if (page.path === path) return !page.gap || addLine(page, "--", "other");
  page.path = path;
  const blank = page.lines.length === 0 ? "" : "\n";
  return addLine(page, `${blank}${named(path)}`, "other");
}

function addText(page: Page, hit: Extract<Hit, { type: "line" }>): boolean {
  page.gap = false;
  const mark = hit.isMatch ? ":" : "-";
  return addLine(
    page,
    `${hit.line}${mark}${hit.text.toWellFormed()}`,
    hit.isMatch ? "match" : "other",
  );
}

function addLine(page: Page, line: string, what: "match" | "other"): boolean {
  if (page.characters + line.length + 1 > mostShown) return false;
  page.lines.push(line);
  page.characters += line.length + 1;
  if (what === "match") page.matches += 1;
  return true;
}
