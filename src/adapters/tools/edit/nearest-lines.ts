// For an old text that is not in the file: where it nearly is, and what differs.

/** Longer lines are compared by their beginning. */
const comparedCharacters = 300;
/** Share of common letter pairs from which two lines are called near. */
const leastSimilarity = 0.5;

/** One or two sentences. */
export function nearestLines(flat: string, oldText: string): string {
  const wanted = oldText.split("\n");
  const key = wanted.reduce((best, line, index) => {
    return line.trim().length > (wanted[best] ?? "").trim().length ? index : best;
  }, 0);
  const lines = flat.split("\n");
  const nearest = mostSimilar(lines, (wanted[key] ?? "").trim());
  if (nearest === null) return "No line of the file is near to it.";
  // The block around the nearest line: the first line that differs is the one to speak of.
  for (const [offset, line] of wanted.entries()) {
    const at = nearest - key + offset;
    const there = lines[at];
    const isLast = offset === wanted.length - 1;
    if (there === line || (isLast && there?.startsWith(line) === true)) continue;
    if (there === undefined) return `The file ends at line ${lines.length}, before old_text does.`;
    return difference({ lineNumber: at + 1, there, wanted: line });
  }
  return `It nearly is at line ${nearest + 1}.`;
}

function mostSimilar(lines: readonly string[], wanted: string): number | null {
  const pairs = letterPairs(wanted);
  if (pairs.size === 0) return null;
  let best: number | null = null;
  let bestScore = leastSimilarity;
  for (const [index, line] of lines.entries()) {
    const score = similarity(line.trim(), wanted, pairs);
    if (score > bestScore) {
      best = index;
      bestScore = score;
    }
  }
  return best;
}

function letterPairs(line: string): Set<string> {
  const pairs = new Set<string>();
  const most = Math.min(line.length, comparedCharacters);
  for (let at = 0; at + 2 <= most; at++) pairs.add(fold(line.slice(at, at + 2)));
  return pairs;
}

/** Variants of one mark count as the mark, so that a line that differs in quotes only is near. */
const fold = (pair: string): string => (/^[!-~]*$/.test(pair) ? pair : pair.normalize("NFKC"));

function similarity(line: string, wanted: string, pairs: ReadonlySet<string>): number {
  if (line === wanted) return 2;
  const longer = Math.min(Math.max(line.length, wanted.length), comparedCharacters);
  const shorter = Math.min(line.length, wanted.length, comparedCharacters);
  if (shorter < longer * leastSimilarity) return 0;
  let common = 0;
  for (const pair of letterPairs(line)) if (pairs.has(pair)) common++;
  return common / Math.max(pairs.size, 1);
}

function difference(at: {
  readonly lineNumber: number;
  readonly there: string;
  readonly wanted: string;
}): string {
  const { lineNumber, there, wanted } = at;
  const has = Array.from(there.slice(0, 10_000));
  const wants = Array.from(wanted.slice(0, 10_000));
  let column = 0;
  while (column < has.length && column < wants.length && has[column] === wants[column]) column++;
  return (
    `The nearest is line ${lineNumber}: \`${excerpt(there)}\`. At column ${column + 1} the file has ` +
    `${pointName(has[column])}, old_text has ${pointName(wants[column])}.`
  );
}

const excerpt = (line: string): string =>
  line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line.toWellFormed();

function pointName(character: string | undefined): string {
  if (character === undefined) return "the end of the line";
  const point = character.codePointAt(0) ?? 0;
  const label = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  if (character === " ") return `a space (${label})`;
  if (character === "\t") return `a tab (${label})`;
  const isPlain = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
  return isPlain ? `${character} (${label})` : label;
}
