/** A pattern that allows must cover the thing exactly; one that denies or asks reaches as far as it can. */
export type Reach = "exact" | "broad";

interface StarRule<Wanted, Item> {
  isStar(one: Wanted): boolean;
  fits(one: Wanted, item: Item): boolean;
}

/**
 * Rules and commands both come from others, so neither may cost more than their lengths multiplied: after a failed
 * try only the last star is widened.
 */
function matchStars<Wanted, Item>(
  wanted: readonly Wanted[],
  items: readonly Item[],
  rule: StarRule<Wanted, Item>,
): boolean {
  let at = 0;
  let star = -1;
  let widened = 0;
  let index = 0;
  while (index < items.length) {
    const one = wanted[at];
    const item = items[index];
    if (one !== undefined && rule.isStar(one)) {
      star = at;
      widened = index;
      at += 1;
    } else if (one !== undefined && item !== undefined && rule.fits(one, item)) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      widened += 1;
      index = widened;
    } else return false;
  }
  return wanted.slice(at).every((one) => rule.isStar(one));
}

const isSingleStar = (one: string): boolean => one === "*";

const matchText = (pattern: string, text: string): boolean =>
  matchStars(Array.from(pattern), Array.from(text), {
    isStar: isSingleStar,
    fits: (one, character) => one === character,
  });

/** Words that every shell reads as they stand: no quotes, expansions, operators, assignments, control characters. */
const plainWords = /^[\p{L}\p{N} _./:,@%+-]*$/u;
/** Longer commands are never allowed by a pattern: nobody reads them (field case M10). */
const longestAllowed = 4000;

/** Every pattern but a bare tool covers such commands only. */
export const isPlainCommand = (command: string): boolean =>
  command.length <= longestAllowed && plainWords.test(command);

/**
 * Does a rule's pattern speak of this command? Until commands are parsed (the shell analysis is a later
 * capability) an exact pattern covers only plain words, while a broad one matches any stretch of the command, with
 * quotes and folders of programs taken off or not: over-matching is the safe side.
 */
export function matchesCommand(pattern: string, command: string, reach: Reach): boolean {
  if (reach === "exact") {
    return (
      isPlainCommand(command) &&
      coversWords(oneSpaced(pattern).split(" "), command.trim().split(/ +/))
    );
  }
  const wanted = `* ${oneSpaced(pattern)}`;
  return readings(command).some((reading) => matchWords(wanted, ` ${reading}`));
}

/** A star alone is any number of words; one inside a word ends with it, so that `rm build/*` names no second file. */
const coversWords = (wanted: readonly string[], words: readonly string[]): boolean =>
  matchStars(wanted, words, { isStar: isSingleStar, fits: coversWord });

/** Nor does `build/*` lead out of the folder it names. */
const coversWord = (wanted: string, word: string): boolean =>
  wanted === word || (!word.split("/").includes("..") && matchText(wanted, word));

/** `git log *` also matches `git log` alone. */
const matchWords = (pattern: string, command: string): boolean =>
  matchText(pattern, command) ||
  (pattern.endsWith(" *") && matchText(pattern.slice(0, -2), command));

const oneSpaced = (words: string): string => words.trim().replace(/\s+/g, " ");

/** Whatever a shell may come to read in a command: the whole and its parts, unquoted, programs by their names. */
function readings(command: string): readonly string[] {
  const joined = command.replaceAll("\\\n", "");
  const unquoted = [joined, joined.replace(/["'\\]/g, ""), joined.replace(/["'\\]/g, " ")];
  const parts = unquoted
    .flatMap((reading) => [reading, ...reading.split(/[;&|<>(){}`$!=,\n\r]+/)])
    .map(oneSpaced);
  return [...parts, ...parts.map(withoutFolders)];
}

const withoutFolders = (words: string): string =>
  words
    .split(" ")
    .map((word) => word.slice(word.lastIndexOf("/") + 1))
    .join(" ");

/**
 * Does a rule's pattern name this file? `?` is one character, `*` any within a name, `**` any number of folders; a
 * pattern without a slash names a file in any folder, as in ignore files; `./` names it from the root. A broad one
 * also covers all that is below.
 * @param names the ways to write the path: absolute, and from each root
 */
export function matchesPath(pattern: string, names: readonly string[], reach: Reach): boolean {
  const inAnyFolder = pattern.includes("/") ? [] : ["**"];
  const below = reach === "exact" ? [] : ["**"];
  const plain = pattern.replace(/^(?:\.\/)+/, "").replace(/\/$/, "/**");
  const wanted = [...inAnyFolder, ...plain.split("/"), ...below];
  return names.some((name) => matchStars(wanted, name.split("/"), folders));
}

const folders: StarRule<string, string> = {
  isStar: (one) => one === "**",
  fits: (one, name) =>
    matchStars(Array.from(one), Array.from(name), {
      isStar: isSingleStar,
      fits: (wanted, character) => wanted === "?" || wanted === character,
    }),
};

/** A URL rule that ends in a star covers everything below: `https://example.com/*`. */
export const matchesUrl = (pattern: string, url: string, reach: Reach): boolean =>
  matchesPath(pattern.replace(/\/\*$/, "/**"), [url], reach);
