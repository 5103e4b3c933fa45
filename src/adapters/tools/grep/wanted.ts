import type { HeldSearch } from "../shared/held-search.ts";
import type { PathFilter } from "../shared/path-filter.ts";
import type { RipgrepPrograms } from "../shared/ripgrep.ts";

/** What grep is to look for. */
export interface Wanted {
  readonly pattern: string;
  /** As written. */
  readonly path: string;
  readonly glob: string | null;
  readonly mode: "lines" | "files" | "count";
  readonly context: number;
  readonly ignoreCase: boolean;
  /** Most matching lines, or files in the other modes. */
  readonly limit: number;
  readonly rules: "kept" | "off";
}

/** Where and how to look. */
export interface Search {
  readonly held: HeldSearch;
  readonly filter: PathFilter | null;
  /** By real path: what no search may show. */
  readonly isHidden: (path: string) => boolean;
  readonly signal: AbortSignal;
  readonly programs: RipgrepPrograms;
}

/** One line of the answer's raw material. Paths are relative to the folder searched. */
export type Hit =
  | {
      readonly type: "line";
      readonly path: string;
      readonly line: number;
      readonly text: string;
      readonly isMatch: boolean;
    }
  /** Between groups of lines that are not next to each other. */
  | { readonly type: "gap"; readonly path: string }
  | { readonly type: "file"; readonly path: string; readonly count: number | null }
  /** A file with NUL bytes that matches; its lines are not shown. */
  | { readonly type: "binary"; readonly path: string };

export interface Found {
  readonly hits: readonly Hit[];
  /** There is more than the limit lets through. */
  readonly more: boolean;
  /** Which program searched, when it was not ripgrep. */
  readonly by: "ripgrep" | "built_in";
}

/** Characters of a line that are shown. */
export const shownCharacters = 500;

/** Matching lines, or files: what the limit counts. */
export const countsAsMatch = (hit: Hit): boolean =>
  hit.type === "file" || hit.type === "binary" || (hit.type === "line" && hit.isMatch);
