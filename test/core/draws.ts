/** Choices that follow from one number: the same number, the same choices. */
export interface Draws {
  /** A whole number from 0 to `count - 1`. */
  below(count: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** One of the choices, as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

export function draws(seed: number): Draws {
  const random = mulberry32(seed);
  const below = (count: number): number => Math.floor(random() * count);
  function pick<T>(choices: readonly T[]): T {
    const choice = choices[below(choices.length)];
    if (choice === undefined) throw new Error("there is nothing to choose from");
    return choice;
  }
  return {
    below,
    pick,
    chance: (share) => random() < share,
    weighted(choices) {
      let left = random() * choices.reduce((sum, [weight]) => sum + weight, 0);
      const chosen = choices.find(([weight]) => (left -= weight) < 0);
      return (chosen ?? pick(choices))[1];
    },
  };
}

/** Source: mulberry32 by Tommy Ettinger, public domain. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
