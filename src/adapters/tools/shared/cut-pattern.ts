import { existsSync } from "node:fs";
import { join } from "node:path";
import { absolutePath, diskName } from "../../workspace/index.ts";

/** Longer patterns are refused: nobody means them. */
export const longestPattern = 1000;

/** A pattern cut where its first wildcard is. */
export interface CutPattern {
  /** Folder to search, absolute; the file itself when the pattern has no wildcard. */
  readonly base: string;
  /** What is to match below `base`; null when the pattern has no wildcard. */
  readonly rest: string | null;
}

/** A part that looks like a wildcard but is the name of something (`[id]`, `(group)`) is taken as the name. */
export function cutPattern(pattern: string, folder: string): CutPattern {
  const parts = pattern.split("/");
  let base = pattern.startsWith("/") ? "/" : folder;
  for (const [index, part] of parts.entries()) {
    if (part === "" || part === ".") continue;
    const next = absolutePath(index === 0 ? part : `./${part}`, base);
    const isPlain = !/[*?[\]{}()!+@\\]/.test(part);
    if (!isPlain && !existsSync(diskName(join(base, part)))) {
      return { base, rest: parts.slice(index).join("/") };
    }
    base = next;
  }
  return { base, rest: null };
}
