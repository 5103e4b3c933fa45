/** Lines `from` to before `to` of the old list became lines `newFrom` to before `newTo` of the new one, from 0. */
export interface LineHunk {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Edits up to which the shortest way is looked for; beyond, all between the first and last one is one hunk. */
const mostEdits = 1000;

/** What was changed between two lists of lines: the fewest lines (Myers, 1986). Hunks are in order and do not touch. */
export function diffLines(old: readonly string[], now: readonly string[]): readonly LineHunk[] {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middle = {
    old: old.slice(head, old.length - tail),
    now: now.slice(head, now.length - tail),
  };
  if (middle.old.length === 0 && middle.now.length === 0) return [];
  const kept = keptPairs(middle.old, middle.now) ?? [];
  return hunksBetween(kept, middle.old.length, middle.now.length).map((hunk) => ({
    from: hunk.from + head,
    to: hunk.to + head,
    newFrom: hunk.newFrom + head,
    newTo: hunk.newTo + head,
  }));
}

type Pair = readonly [old: number, now: number];

function hunksBetween(kept: readonly Pair[], oldLength: number, newLength: number): LineHunk[] {
  const hunks: LineHunk[] = [];
  let [from, newFrom] = [0, 0];
  for (const [to, newTo] of [...kept, [oldLength, newLength] as const]) {
    if (to > from || newTo > newFrom) hunks.push({ from, to, newFrom, newTo });
    from = to + 1;
    newFrom = newTo + 1;
  }
  return hunks;
}

/** Pairs of equal lines that stay, in order; null when there are too many edits. */
function keptPairs(old: readonly string[], now: readonly string[]): readonly Pair[] | null {
  const most = Math.min(mostEdits, old.length + now.length);
  const offset = most + 1;
  const furthest = new Int32Array(2 * offset + 1);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(furthest.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let at = startOf(furthest, diagonal, { edits, offset });
      while (at < old.length && at - diagonal < now.length && old[at] === now[at - diagonal]) at++;
      furthest[offset + diagonal] = at;
      if (at >= old.length && at - diagonal >= now.length) {
        return walkBack(trace, { old, now, offset });
      }
    }
  }
  return null;
}

/** Where an edit onto a diagonal lands: from the neighbour that is further. */
function startOf(
  furthest: Int32Array,
  diagonal: number,
  { edits, offset }: { readonly edits: number; readonly offset: number },
): number {
  const below = furthest[offset + diagonal - 1] ?? 0;
  const above = furthest[offset + diagonal + 1] ?? 0;
  const isDown = diagonal === -edits || (diagonal !== edits && below < above);
  return isDown ? above : below + 1;
}

function walkBack(
  trace: readonly Int32Array[],
  what: {
    readonly old: readonly string[];
    readonly now: readonly string[];
    readonly offset: number;
  },
): readonly Pair[] {
  const { old, now, offset } = what;
  const pairs: Pair[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits] ?? new Int32Array();
    const diagonal = x - y;
    const start = edits === 0 ? 0 : startOf(furthest, diagonal, { edits, offset });
    while (x > start && y > start - diagonal && x > 0 && y > 0) pairs.push([--x, --y]);
    if (edits === 0) break;
    const below = furthest[offset + diagonal - 1] ?? 0;
    const above = furthest[offset + diagonal + 1] ?? 0;
    const isDown = diagonal === -edits || (diagonal !== edits && below < above);
    x = isDown ? above : below;
    y = x - (isDown ? diagonal + 1 : diagonal - 1);
  }
  return pairs.toReversed();
}
