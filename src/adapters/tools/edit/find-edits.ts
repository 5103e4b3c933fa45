import { trouble, withLineFeeds, type Trouble } from "../../workspace/index.ts";
import { omissionIn, omissionTrouble } from "../shared/omission.ts";
import { lineCounter } from "../shared/flat-text.ts";
import type { Place } from "../shared/place-changes.ts";
import { nearestLines } from "./nearest-lines.ts";
import { occurrences } from "./occurrences.ts";
import { tolerantMatches } from "./tolerant-match.ts";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export interface FoundEdits {
  /** In rising order, none over another. */
  readonly places: readonly Place[];
  /** In what old texts and the file differ where they do, in words. */
  readonly tolerated: readonly string[];
}

/**
 * Finds the places of all edits in a text whose line ends are LF. Each edit is matched against the text as it
 * is now, not against the result of another one; all of them succeed or none counts. An old text that is not there
 * to the letter may differ in what `tolerantMatches` lets pass, if it then has exactly one place.
 */
export function findEdits(
  flat: string,
  edits: readonly Edit[],
  shown: string,
): FoundEdits | Trouble {
  const places: Place[] = [];
  const tolerated = new Set<string>();
  for (const [index, edit] of edits.entries()) {
    const found = findEdit(flat, edit, shown);
    if ("code" in found) return edits.length === 1 ? found : inEdit(found, index, edits.length);
    for (const place of found.places) places.push(place);
    for (const difference of found.tolerated) tolerated.add(difference);
  }
  places.sort((a, b) => a.from - b.from || a.to - b.to);
  return overlap(flat, places) ?? { places, tolerated: [...tolerated] };
}

const inEdit = ({ code, message }: Trouble, index: number, count: number): Trouble =>
  trouble(code, `Edit ${index + 1} of ${count} (none was applied): ${message}`);

function findEdit(flat: string, edit: Edit, shown: string): FoundEdits | Trouble {
  const oldText = withLineFeeds(withoutMark(edit.oldText));
  // A lone CR in the new text is data, not a line end.
  const newText = withoutMark(edit.newText).replaceAll("\r\n", "\n");
  if (oldText === "") {
    return trouble(
      "empty_old_text",
      "old_text is empty, so there is no place to edit; nothing was changed. To insert, give the line before as " +
        "old_text and repeat it in new_text; to fill an empty or new file use write.",
    );
  }
  if (oldText === newText) {
    return trouble(
      "no_change",
      "old_text and new_text are the same (line ends follow the file); nothing was changed.",
    );
  }
  const omission = omissionIn(newText, oldText);
  if (omission !== null) return omissionTrouble(shown, omission);
  const starts = occurrences(flat, oldText, edit.replaceAll ? "apart" : "all");
  if (starts.length === 1 || (edit.replaceAll && starts.length > 0)) {
    const places = starts.map((start) => smallest({ start, oldText, newText }));
    return { places, tolerated: [] };
  }
  if (starts.length > 1) return ambiguous(flat, { starts, shown, but: "" });
  const open = atOpenEnd(flat, oldText, newText);
  if (open !== null) return { places: open, tolerated: [] };
  return findTolerantly(flat, { oldText, newText }, shown) ?? notFound(flat, oldText, shown);
}

/** The model does not see a byte order mark, but may have copied one. */
const withoutMark = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

/** Null when the old text is not there either way. */
function findTolerantly(
  flat: string,
  wanted: { readonly oldText: string; readonly newText: string },
  shown: string,
): FoundEdits | Trouble | null {
  const matches = tolerantMatches(flat, wanted);
  const [match] = matches;
  if (match === undefined) return null;
  const { from, to, newText, tolerated } = match;
  const but = `, but for ${tolerated.join(", ")}`;
  if (matches.length > 1) {
    return ambiguous(flat, { starts: matches.map((one) => one.from), shown, but });
  }
  if (newText === null) return otherIndentation(flat, from, shown);
  const place = smallest({ start: from, oldText: flat.slice(from, to), newText });
  if (place.from === place.to && place.text === "") return sameText(shown, but);
  return { places: [place], tolerated };
}

const sameText = (shown: string, but: string): Trouble =>
  trouble(
    "no_change",
    `${shown} has new_text there already${but}; both are the same. Nothing was changed.`,
  );

const otherIndentation = (flat: string, at: number, shown: string): Trouble =>
  trouble(
    "not_found",
    `old_text is not in ${shown}; nothing was changed. The lines from ${lineCounter(flat)(at)} on are the same but ` +
      "for their indentation, and new_text has steps of indentation that cannot be told in the file's. Copy " +
      "old_text exactly as read shows it, without line numbers.",
  );

/** What begins and ends alike is left alone, so that the fewest bytes change. */
function smallest(match: {
  readonly start: number;
  readonly oldText: string;
  readonly newText: string;
}): Place {
  const { start, oldText, newText } = match;
  const most = Math.min(oldText.length, newText.length);
  let head = 0;
  while (head < most && oldText[head] === newText[head]) head++;
  if (isHighSurrogate(oldText.charCodeAt(head - 1))) head--;
  let tail = 0;
  while (tail < most - head && oldText.at(-1 - tail) === newText.at(-1 - tail)) tail++;
  if (isLowSurrogate(oldText.charCodeAt(oldText.length - tail))) tail--;
  return {
    from: start + head,
    to: start + oldText.length - tail,
    text: newText.slice(head, newText.length - tail),
  };
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The old text ends with a line end and the file, which ends with the same line, has none: no other place fits. */
function atOpenEnd(flat: string, oldText: string, newText: string): readonly Place[] | null {
  if (!oldText.endsWith("\n") || flat.endsWith("\n")) return null;
  const open = oldText.slice(0, -1);
  if (open === "" || !flat.endsWith(open)) return null;
  const closed = newText.endsWith("\n") ? newText.slice(0, -1) : newText;
  if (closed === open) return null;
  return [smallest({ start: flat.length - open.length, oldText: open, newText: closed })];
}

function ambiguous(
  flat: string,
  found: { readonly starts: readonly number[]; readonly shown: string; readonly but: string },
): Trouble {
  const { starts, shown, but } = found;
  const lineOf = lineCounter(flat);
  const lines = [...new Set(starts.slice(0, 10).map(lineOf))].join(", ");
  const more = starts.length > 10 ? " and more" : "";
  return trouble(
    "multiple_matches",
    `old_text is at ${starts.length} places in ${shown}${but}: lines ${lines}${more}. Nothing was changed. Add lines ` +
      "around it until only one place fits" +
      (but === "" ? ", or set replace_all to change every one." : "."),
  );
}

function notFound(flat: string, oldText: string, shown: string): Trouble {
  const nearest = nearestLines(flat, oldText);
  return trouble(
    "not_found",
    `old_text is not in ${shown}; nothing was changed. ${nearest} Copy old_text exactly as read shows it, without ` +
      "line numbers.",
  );
}

function overlap(flat: string, places: readonly Place[]): Trouble | null {
  const index = places.findIndex((place, at) => {
    const before = places[at - 1];
    return before !== undefined && (place.from < before.to || place.from === before.from);
  });
  const place = places[index];
  if (place === undefined) return null;
  return trouble(
    "overlap",
    `Two edits change the same text near line ${lineCounter(flat)(place.from)}; nothing was changed. Join them ` +
      "into one edit. Edits are matched against the file as it is now, not against each other's result.",
  );
}
