import type { ToolEnv } from "#runtime";
import { isTrouble, trouble, type Trouble } from "../../workspace/index.ts";
import type { FileChange } from "../shared/planned-file.ts";
import { findEdits, type Edit, type FoundEdits } from "./find-edits.ts";
import { findInCells } from "./notebook-cells.ts";
import { planEdit } from "./plan-edit.ts";

/** One edit and the file it is for, by its real path. */
export interface FileEdit extends Edit {
  readonly path: string;
}

/** What edits of one or several files would make of them: all of them or trouble. */
export async function planEdits(
  edits: readonly FileEdit[],
  env: ToolEnv,
): Promise<readonly FileChange[] | Trouble> {
  const byPath = Map.groupBy(edits, ({ path }) => path);
  const changes: FileChange[] = [];
  for (const [path, own] of byPath) {
    const change = await planEdit(path, env, (flat, shown) => findAnywhere(flat, own, shown));
    if (!isTrouble(change)) changes.push(change);
    else if (byPath.size === 1) return change;
    else
      return trouble(
        change.code,
        `No file was changed, because one edit failed. ${change.message}`,
      );
  }
  return changes;
}

/** In a notebook an old text is the text of a cell, as `read` shows it; else of the file as it is. */
function findAnywhere(flat: string, edits: readonly Edit[], shown: string): FoundEdits | Trouble {
  const inCells = shown.endsWith(".ipynb") ? findInCells(flat, edits, shown) : null;
  if (inCells !== null && (!isTrouble(inCells) || inCells.code !== "not_found")) return inCells;
  const found = findEdits(flat, edits, shown);
  return isTrouble(found) ? (inCells ?? found) : found;
}
