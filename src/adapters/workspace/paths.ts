import { lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { diskName, showName } from "./names.ts";
import { errnoOf, trouble, troubleOf, type Trouble } from "./trouble.ts";

/** Bytes; PATH_MAX and NAME_MAX of Linux. */
const longestPath = 4096;
const longestName = 255;
/** As many as Linux follows. */
const mostLinks = 40;

/** What is wrong with a path as written, whatever the disk holds; null when nothing is. */
export function pathProblem(written: string): string | null {
  if (written.trim() === "") return "is empty; give a path, absolute or relative to the workspace";
  if (written.includes("\0")) return "holds a NUL character, which no path can";
  if (!written.isWellFormed()) return "holds half of a surrogate pair, which no path can";
  if (Buffer.byteLength(written) >= longestPath) {
    return `is longer than ${longestPath} bytes`;
  }
  if (written.split("/").some((name) => Buffer.byteLength(name) > longestName)) {
    return `holds a name longer than ${longestName} bytes`;
  }
  if (/^\\\\|^\/\/[?.]\//.test(written)) return "is a device or network path, which is not allowed";
  return null;
}

/** The absolute path meant, `~` and `..` resolved, links not. */
export function absolutePath(written: string, cwd: string): string {
  const expanded =
    written === "~" || written.startsWith("~/") ? join(homedir(), written.slice(1)) : written;
  return resolve(cwd, expanded);
}

/**
 * The real path meant: every link followed, also a link to what does not exist yet; for a new file the real
 * path of the nearest existing folder and the rest. Composed and decomposed spellings find each other.
 */
export function locate(written: string, cwd: string): string | Trouble {
  const problem = pathProblem(written);
  if (problem !== null) return trouble("bad_path", `The path ${problem}.`);
  try {
    return follow(absolutePath(written, cwd), mostLinks);
  } catch (error) {
    return troubleOf(error, written);
  }
}

function follow(path: string, links: number): string {
  const real = realPath(path);
  if (real !== null) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const candidate = join(follow(parent, links), basename(path));
  const target = linkTarget(candidate);
  if (target !== null) {
    if (links === 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    return follow(resolve(dirname(candidate), target), links - 1);
  }
  return spelledOtherwise(candidate) ?? candidate;
}

/** Real path of what exists; null when it does not, or cannot be looked at. @throws on ELOOP, ENAMETOOLONG */
export function realPath(path: string): string | null {
  try {
    return showName(realpathSync.native(diskName(path), "buffer"));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ELOOP" || errno === "ENAMETOOLONG") throw error;
    return null;
  }
}

function linkTarget(path: string): string | null {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return null;
    return showName(readlinkSync(path, "buffer"));
  } catch {
    // A folder that may not be entered: the path stays as it is, and opening it will say so.
    return null;
  }
}

/** macOS and some archives store names decomposed (NFD), people type them composed (NFC). */
function spelledOtherwise(path: string): string | null {
  const name = basename(path);
  if (/^[\0-\x7f]*$/.test(name)) return null;
  try {
    const twins = readdirSync(dirname(path)).filter(
      (entry) => entry.normalize("NFC") === name.normalize("NFC"),
    );
    return twins.length === 1 && twins[0] !== undefined ? join(dirname(path), twins[0]) : null;
  } catch {
    // No such folder, or it may not be read: then there is no twin to find.
    return null;
  }
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** A path as it is shown: relative inside the workspace, else absolute. */
export function shownPath(path: string, cwd: string): string {
  if (!isInside(path, cwd)) return path;
  return relative(cwd, path) || ".";
}
