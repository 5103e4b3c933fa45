/** A kind of characters that models write one for another, as the result names it. */
type Kind = "typographic quotes" | "dashes" | "special spaces" | "full-width punctuation";

interface Folded {
  readonly kind: Kind;
  readonly plain: string;
}

const variants: ReadonlyMap<string, Folded> = new Map<string, Folded>([
  ...each("‘’‚‛′", "typographic quotes", "'"),
  ...each("“”„‟″", "typographic quotes", '"'),
  ...each("‐‑‒–—―−", "dashes", "-"),
  ...each("\u00a0\u202f\u205f\u3000", "special spaces", " "),
  ...each(range(0x2000, 0x200a), "special spaces", " "),
  // Halfwidth and Fullwidth Forms of Unicode: ASCII moved by FEE0. Letters and digits are not punctuation.
  ...Array.from(range(0xff01, 0xff5e))
    .filter((character) => !/[\p{L}\p{N}]/u.test(character))
    .map((character): readonly [string, Folded] => {
      const plain = String.fromCharCode(character.charCodeAt(0) - 0xfee0);
      return [character, { kind: "full-width punctuation", plain }];
    }),
]);

function each(characters: string, kind: Kind, plain: string): (readonly [string, Folded])[] {
  return Array.from(characters, (character) => [character, { kind, plain }]);
}

function range(from: number, to: number): string {
  return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
}

const anyVariant = new RegExp(`[${[...variants.keys()].join("")}]`, "g");

/** Every variant as its plain character. One character for one, so positions stay. */
export const fold = (text: string): string =>
  text.replaceAll(anyVariant, (character) => variants.get(character)?.plain ?? character);

/** In which kinds two texts differ that fold to the same. */
export function foldedKinds(one: string, other: string): readonly Kind[] {
  const kinds = new Set<Kind>();
  for (let at = 0; at < one.length; at++) {
    const [a = "", b = ""] = [one[at], other[at]];
    if (a === b) continue;
    for (const folded of [variants.get(a), variants.get(b)]) {
      if (folded !== undefined) kinds.add(folded.kind);
    }
  }
  return [...kinds];
}
