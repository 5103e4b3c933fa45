import { basename, dirname, join, relative, sep } from "node:path";

import type { Words } from "#i18n";
import type { Home } from "../home.ts";
import { readTextFile } from "../text-file.ts";

/** Instructions for the agent that a person wrote. */
export interface Instructions {
  readonly path: string;
  readonly text: string;
}

export interface FoundInstructions {
  readonly files: readonly Instructions[];
  readonly notices: readonly string[];
}

/** Bytes of one file; enough for a long page, far below any window. */
const maxBytes = 64_000;
const projectNames: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/**
 * The user's own instructions, then the nearest `AGENTS.md` from `cwd` up to the repository root; `CLAUDE.md`
 * when there is none. A file reached twice (by a link) is loaded once.
 * @param root folder of the repository; `cwd` itself when there is none
 */
export async function findInstructions(
  home: Home,
  place: { readonly cwd: string; readonly root: string },
  words: Words,
): Promise<FoundInstructions> {
  const notices: string[] = [];
  const own = await load(home.instructions, { root: null, words, notices });
  const project = await nearest(place, { words, notices });
  const files = [own, project].filter((file) => file !== null);
  const paths = files.map((file) => file.path);
  return { files: files.filter((file, index) => paths.indexOf(file.path) === index), notices };
}

async function nearest(
  { cwd, root }: { readonly cwd: string; readonly root: string },
  { words, notices }: { readonly words: Words; readonly notices: string[] },
): Promise<Instructions | null> {
  for (const name of projectNames) {
    for (let folder = cwd; ; folder = dirname(folder)) {
      const file = await load(join(folder, name), { root, words, notices });
      if (file) return file;
      if (folder === root || dirname(folder) === folder) break;
    }
  }
  return null;
}

interface Loading {
  /** A link must stay in this folder; null = anywhere. */
  readonly root: string | null;
  readonly words: Words;
  readonly notices: string[];
}

async function load(path: string, { root, words, notices }: Loading): Promise<Instructions | null> {
  const found = await readTextFile(path, maxBytes);
  if (found.at === "missing") return null;
  if (found.at === "unusable") {
    notices.push(words.config.unusableFile[found.why](path));
    return null;
  }
  if (
    root !== null &&
    !isInside(root, found.path) &&
    !projectNames.includes(basename(found.path))
  ) {
    // The text goes to a provider: a repository must not be able to point at a key file with a link.
    notices.push(words.config.linkOutside(path, found.path));
    return null;
  }
  if (found.cut) notices.push(words.config.instructionsCut(path, maxBytes));
  return found.text.trim() === "" ? null : { path: found.path, text: found.text.trim() };
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}
