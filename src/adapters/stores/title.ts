import { type Fact, plainText } from "#core";

const mostCharacters = 100;

/** The text of a prompt as one short line; null for any other fact, and for a prompt without text. */
export function titleOf(fact: Fact): string | null {
  if (fact.type !== "input.received" || fact.kind !== "prompt") return null;
  // Cut first: a prompt may be very long.
  const start = plainText(fact.blocks).slice(0, 4 * mostCharacters);
  const line = start.replace(/\s+/gu, " ").trim();
  if (line.length <= mostCharacters) return line === "" ? null : line;
  // Half a surrogate pair would be no character.
  return `${line.slice(0, mostCharacters - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
