import { hash } from "#core";
import type { ToolEnv } from "#runtime";
import {
  decodeDocument,
  isTrouble,
  mergeLines,
  spliceDocument,
  trouble,
  withLineFeeds,
  type MergedHunk,
  type TextDocument,
  type Trouble,
} from "../../workspace/index.ts";
import { flatten } from "../shared/flat-text.ts";
import { changedLines, placeChanges, type Place } from "../shared/place-changes.ts";
import { showDiff } from "../shared/show-diff.ts";

interface Over {
  readonly shown: string;
  readonly content: string;
  /** The file as it is now. */
  readonly document: TextDocument;
  /** Hash of the content the model knows; null: none. */
  readonly seen: string | null;
}

export interface Merged {
  readonly after: Buffer;
  readonly lines: readonly [from: number, to: number] | null;
  /** What somebody else has changed. */
  readonly theirs: string;
}

/** A write over content that the model does not know: merged when nothing is lost by it, else refused with the diff. */
export async function mergeWrite(
  over: Over,
  env: Pick<ToolEnv, "getBlob">,
): Promise<Merged | Trouble> {
  const { document, seen, shown } = over;
  const content = withLineFeeds(over.content.replace(/^\ufeff/, ""));
  const now = withLineFeeds(document.text);
  if (seen === null) {
    return trouble(
      "not_read",
      `${shown} exists and was not read in this session; it was not overwritten. Read it, then write it, or change ` +
        `the part that differs with edit. What the write would have changed:\n${showDiff(now, content)}`,
    );
  }
  const base = await baseText(seen, document, env);
  if (base === null) {
    return trouble(
      "changed_since_read",
      `${shown} was changed since you read it; it was not overwritten. Read it again, then decide. What the write ` +
        `would have changed:\n${showDiff(now, content)}`,
    );
  }
  const hunks = mergeLines(base.split("\n"), content.split("\n"), now.split("\n"));
  const theirs = showDiff(base, now);
  if (hunks === null) {
    return trouble(
      "changed_since_read",
      `${shown} was changed since you read it, in lines that the write changes too; it was not overwritten. Read it ` +
        `again, then decide. What was changed since (- as you know it, + as it is now):\n${theirs}`,
    );
  }
  return applied(document, hunks, theirs);
}

/** The content that the model knows, line ends as LF; null when it was not kept. */
async function baseText(
  seen: string,
  { stats }: TextDocument,
  env: Pick<ToolEnv, "getBlob">,
): Promise<string | null> {
  try {
    const bytes = Buffer.from(await env.getBlob(hash(seen)));
    const document = await decodeDocument({ bytes, stats });
    return document === null ? null : withLineFeeds(document.text);
  } catch {
    // Too large to be kept, or lost: there is nothing to merge with.
    return null;
  }
}

function applied(
  document: TextDocument,
  hunks: readonly MergedHunk[],
  theirs: string,
): Merged | Trouble {
  const flatText = flatten(document.text);
  const { flat } = flatText;
  const starts = [0];
  for (const line of flat.split("\n")) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const places = hunks.map((hunk) => placeOf(hunk, starts, flat));
  const after = spliceDocument(document, placeChanges(document, flatText, places));
  return isTrouble(after) ? after : { after, lines: changedLines(flat, places).lines, theirs };
}

/** `starts` has one more than there are lines, beyond the end. */
function placeOf({ from, to, lines }: MergedHunk, starts: readonly number[], flat: string): Place {
  const start = starts[from] ?? flat.length;
  const end = starts[to] ?? flat.length;
  if (end <= flat.length)
    return { from: start, to: end, text: lines.map((line) => `${line}\n`).join("") };
  // Up to the very end: the line feed before goes, too, or none is added.
  if (from === 0) return { from: 0, to: flat.length, text: lines.join("\n") };
  return { from: start - 1, to: flat.length, text: lines.map((line) => `\n${line}`).join("") };
}
