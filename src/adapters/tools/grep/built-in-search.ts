import { join } from "node:path";
import {
  detectEncoding,
  isTrouble,
  openRegular,
  trouble,
  type OpenFile,
  type Trouble,
} from "../../workspace/index.ts";
import { lineSplitter, type Line } from "../shared/line-splitter.ts";
import { slowPattern } from "../shared/path-filter.ts";
import { safeMatcher, type Matcher } from "../shared/timed-match.ts";
import { walk } from "../shared/walk.ts";
import {
  countsAsMatch,
  shownCharacters,
  type Found,
  type Hit,
  type Search,
  type Wanted,
} from "./wanted.ts";

/**
 * The search for machines without ripgrep: slower, with JavaScript's regular expressions, on the beginning of
 * each line (`keptCharacters`). Memory is bounded whatever the files are like.
 */
export async function searchWithoutRipgrep(
  wanted: Wanted,
  search: Search,
): Promise<Found | Trouble> {
  const matcher = compile(wanted);
  if (isTrouble(matcher)) return matcher;
  const hits: Hit[] = [];
  let matches = 0;
  let more = false;
  let problem: Trouble | null = null;
  const look = async (path: string): Promise<"more" | "enough"> => {
    const found = await searchFile(path, { wanted, search, matcher });
    if (isTrouble(found)) {
      problem = found;
      return "enough";
    }
    for (const hit of found) {
      if (countsAsMatch(hit)) matches += 1;
      more = matches > wanted.limit;
      if (more) return "enough";
      hits.push(hit);
    }
    return "more";
  };
  await eachFile(wanted, search, look);
  return problem ?? { hits, more, by: "built_in" };
}

function compile({ pattern, ignoreCase }: Wanted): Matcher | Trouble {
  const inline = /^\(\?i\)/.exec(pattern)?.[0] ?? "";
  const flags = ignoreCase || inline !== "" ? "i" : "";
  for (const unicode of ["u", ""]) {
    try {
      return safeMatcher(pattern.slice(inline.length), flags + unicode);
    } catch {
      // Some patterns are only right without the flag; the last failure is reported below.
      continue;
    }
  }
  return trouble(
    "wrong_pattern",
    `The pattern ${pattern} is no regular expression; nothing was searched. To find plain text, put a backslash ` +
      "before characters such as ( [ { . * + ?.",
  );
}

async function eachFile(
  { rules }: Wanted,
  { held, filter, isHidden, signal }: Search,
  look: (path: string) => Promise<"more" | "enough">,
): Promise<void> {
  if (held.file !== null) {
    await look(held.file);
    return;
  }
  const depth = Number.POSITIVE_INFINITY;
  await walk(
    { folder: held.folder, by: held.by, rules, isHidden, signal, depth },
    ({ path, kind, skipped }) => {
      if (kind !== "file" || skipped !== null) return "more";
      return filter === null || filter([path])?.length === 1 ? look(path) : "more";
    },
  );
}

interface How {
  readonly wanted: Wanted;
  readonly search: Search;
  readonly matcher: Matcher;
}

async function searchFile(path: string, how: How): Promise<readonly Hit[] | Trouble> {
  const file = await openRegular(join(how.search.held.folder, path));
  // Gone or not to be read: the survey counts what may not be read.
  if (isTrouble(file)) return [];
  try {
    return await searchOpen(file, path, how);
  } catch {
    // A file that cannot be read to its end: what was found before counts for nothing.
    return [];
  } finally {
    await file.handle.close();
  }
}

const chunkBytes = 1 << 18;

async function searchOpen(
  file: OpenFile,
  path: string,
  how: How,
): Promise<readonly Hit[] | Trouble> {
  const { wanted, search } = how;
  const buffer = Buffer.allocUnsafe(Math.min(file.stats.size + 1, chunkBytes));
  const splitter = lineSplitter("lf", 1);
  const view = newView(path, wanted);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for (let position = 0; !search.signal.aborted && !view.isFull();) {
    const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (position === 0) {
      const detected = await detectEncoding(chunk);
      view.isBinary = detected === null;
      decoder = new TextDecoder(detected?.encoding ?? "windows-1252");
    }
    position += bytesRead;
    const lines = splitter.feed(decoder?.decode(chunk, { stream: true }) ?? "");
    if (!view.add(lines, how.matcher)) return trouble("too_slow", slowPattern);
  }
  const last = splitter.end();
  if (last !== null && !view.add([last], how.matcher)) return trouble("too_slow", slowPattern);
  return view.result();
}

/** What one file gives. */
interface View {
  isBinary: boolean;
  /** False when the pattern takes too long. */
  add(lines: readonly Line[], matcher: Matcher): boolean;
  isFull(): boolean;
  result(): readonly Hit[];
}

function newView(path: string, wanted: Wanted): View {
  const hits: Hit[] = [];
  const { context, mode, limit } = wanted;
  let before: Line[] = [];
  let after = 0;
  let lastShown = 0;
  let count = 0;

  const show = (line: Line, isMatch: boolean): void => {
    if (context > 0 && lastShown > 0 && line.number > lastShown + 1)
      hits.push({ type: "gap", path });
    hits.push({ type: "line", path, line: line.number, text: shortened(line), isMatch });
    lastShown = line.number;
  };
  return {
    isBinary: false,
    add(lines, matcher) {
      const found = matcher(lines.map(({ text }) => text));
      if (found === null) return false;
      const matching = new Set(found);
      count += matching.size;
      if (mode !== "lines" || this.isBinary) return true;
      for (const [index, line] of lines.entries()) {
        if (matching.has(index)) {
          for (const earlier of before) show(earlier, false);
          before = [];
          show(line, true);
          after = context;
        } else if (after > 0) {
          show(line, false);
          after -= 1;
        } else if (context > 0) before = [...before, line].slice(-context);
      }
      return true;
    },
    isFull() {
      if (mode === "count") return false;
      return count > (mode === "files" || this.isBinary ? 0 : limit);
    },
    result() {
      if (count === 0) return [];
      if (mode !== "lines") return [{ type: "file", path, count: mode === "count" ? count : null }];
      return this.isBinary ? [{ type: "binary", path }] : hits;
    },
  };
}

const shortened = ({ text }: Line): string =>
  text.length > shownCharacters
    ? `${text.slice(0, shownCharacters)} [... omitted end of long line]`
    : text;
