/** A text that comes in pieces. */
export interface GrowingText {
  add(piece: string): void;
  readonly isEmpty: boolean;
  text(): string;
}

/** Pieces that are kept apart. A piece of a few letters takes 30 bytes and more, joined it takes its letters. */
const apart = 512;

/** Each character is joined at most twice, however small the pieces are: the work is linear (field case P16). */
export function growingText(first = ""): GrowingText {
  let joined: string[] = [];
  let pieces: string[] = first === "" ? [] : [first];

  return {
    add(piece) {
      pieces.push(piece);
      if (pieces.length < apart) return;
      joined.push(pieces.join(""));
      pieces = [];
    },
    get isEmpty() {
      return pieces.length === 0 && joined.length === 0;
    },
    text() {
      const whole = [...joined, ...pieces].join("");
      // What is asked again is not joined again, and the parts are free.
      joined = whole === "" ? [] : [whole];
      pieces = [];
      return whole;
    },
  };
}
