import { join } from "node:path";
import { trouble, type Trouble } from "../../workspace/index.ts";
import { sortedByPath } from "../shared/path-order.ts";
import { slowPattern, type PathFilter } from "../shared/path-filter.ts";
import { pathOf, ripgrep, textOf } from "../shared/ripgrep.ts";
import {
  countsAsMatch,
  shownCharacters,
  type Found,
  type Hit,
  type Search,
  type Wanted,
} from "./wanted.ts";

/** Unsorted matches that are kept to be sorted; with more of them ripgrep itself must sort, on one thread. */
const mostUnsorted = 20_000;

/** Searches with ripgrep; null when there is none. The same tree always gives the same answer. */
export async function searchWithRipgrep(
  wanted: Wanted,
  search: Search,
): Promise<Found | Trouble | null> {
  const quick = await searchOnce(wanted, search, "unsorted");
  if (quick === null || "code" in quick) return quick;
  if (!quick.more) return inOrder(quick, wanted.limit);
  return await searchOnce(wanted, search, "sorted");
}

async function searchOnce(
  wanted: Wanted,
  { held, filter, isHidden, signal, programs }: Search,
  order: "sorted" | "unsorted",
): Promise<Found | Trouble | null> {
  const most = order === "sorted" ? wanted.limit : Math.max(mostUnsorted, wanted.limit);
  const hits: Hit[] = [];
  const isWanted = pathGate(filter, (path) => isHidden(join(held.folder, path)));
  const read = recordReader(wanted.mode);
  let matches = 0;
  let more = false;
  let isSlow = false;
  const end = await ripgrep({
    options: [
      ...optionsFor(wanted),
      ...(order === "sorted" ? ["--sort=path"] : []),
      `--regexp=${wanted.pattern}`,
      "--",
      held.file === null ? "." : `./${held.file}`,
    ],
    by: held.by,
    programs,
    separator: wanted.mode === "files" ? 0 : 0x0a,
    signal,
    onRecord(record) {
      const hit = read(record);
      if (hit === null) return "more";
      const pass = isWanted(hit.path);
      if (pass === null) isSlow = true;
      if (isSlow) return "enough";
      if (pass === false) return "more";
      if (countsAsMatch(hit)) {
        matches += 1;
        if (matches > most) {
          more = true;
          return "enough";
        }
      }
      hits.push(hit);
      return "more";
    },
  });
  if (end === null) return null;
  if (isSlow) return trouble("too_slow", slowPattern);
  if (end.exitCode === 2 && hits.length === 0 && /regex|error:/.test(end.complaints)) {
    return wrongPattern(end.complaints);
  }
  return { hits, more, by: "ripgrep" };
}

function optionsFor(wanted: Wanted): readonly string[] {
  const { mode, context, ignoreCase, rules, glob } = wanted;
  return [
    "--null",
    "--binary",
    "--with-filename",
    "--no-heading",
    ...(mode === "files" ? ["--files-with-matches"] : []),
    ...(mode === "count" ? ["--count"] : []),
    ...(mode === "lines"
      ? ["--line-number", `--max-columns=${shownCharacters}`, "--max-columns-preview"]
      : []),
    ...(context > 0 && mode === "lines" ? [`--context=${context}`] : []),
    ...(ignoreCase ? ["--ignore-case"] : []),
    ...(rules === "off" ? ["--no-ignore"] : []),
    ...nameFilter(glob),
  ];
}

/**
 * Lets ripgrep leave out files by the last part of the pattern, as a file type: a `--glob` of its own would bring
 * ignored files back.
 */
function nameFilter(glob: string | null): readonly string[] {
  const name = glob?.split("/").at(-1) ?? "";
  if (glob?.startsWith("!") === true || !/^[\w.*?-]+$/.test(name) || name === "**") return [];
  return [`--type-add=wanted:${name}`, "--type=wanted"];
}

/** Asks once for each path; null when the filter takes too long. */
function pathGate(
  filter: PathFilter | null,
  isHidden: (path: string) => boolean,
): (path: string) => boolean | null {
  let last: { readonly path: string; readonly isWanted: boolean | null } | null = null;
  return (path) => {
    if (path !== last?.path) {
      const passed = isHidden(path) ? [] : filter === null ? [path] : filter([path]);
      last = { path, isWanted: passed === null ? null : passed.length === 1 };
    }
    return last.isWanted;
  };
}

function recordReader(mode: Wanted["mode"]): (record: string) => Hit | null {
  // A name may hold a newline: then the record comes in pieces, the first without its NUL.
  let open = "";
  let path = "";
  return (record) => {
    if (mode === "files") return { type: "file", path: pathOf(record), count: null };
    const whole = open + record;
    open = "";
    const end = whole.indexOf("\0");
    if (end < 0) {
      const binary = /^(.*): binary file matches \(found /s.exec(whole)?.[1];
      if (binary !== undefined) return { type: "binary", path: pathOf(binary) };
      if (whole === "--") return { type: "gap", path };
      open = `${whole}\n`;
      return null;
    }
    path = pathOf(whole.slice(0, end));
    const rest = whole.slice(end + 1);
    if (mode === "count") return { type: "file", path, count: Number(rest) };
    const number = /^(\d+)([:-])/.exec(rest);
    if (number === null) return null;
    const text = textOf(rest.slice(number[0].length)).replace(/\r$/, "");
    return { type: "line", path, line: Number(number[1]), text, isMatch: number[2] === ":" };
  };
}

function inOrder({ hits, by }: Found, limit: number): Found {
  const files = Map.groupBy(hits, ({ path }) => path);
  const sorted: Hit[] = [];
  let matches = 0;
  for (const path of sortedByPath([...files.keys()])) {
    for (const hit of files.get(path) ?? []) {
      if (countsAsMatch(hit)) matches += 1;
      if (matches > limit) return { hits: sorted, more: true, by };
      sorted.push(hit);
    }
  }
  return { hits: sorted, more: false, by };
}

const wrongPattern = (complaints: string): Trouble =>
  trouble(
    "wrong_pattern",
    `The pattern is no regular expression that ripgrep understands; nothing was searched. ${complaints
      .replace(/^rg: /, "")
      .trim()
      .slice(
        0,
        500,
      )}\nTo find plain text, put a backslash before characters such as ( [ { . * + ?.`,
  );
