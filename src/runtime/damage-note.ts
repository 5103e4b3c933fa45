import { text, type Fact, type State } from "#core";
import type { Damage } from "./ports.ts";

/**
 * After damage in the middle of a journal the model is told, with the next prompt and once: what it sees may lack steps
 * that really happened. A torn end holds nothing that anybody was ever told of.
 */
export function withDamageNote(
  facts: readonly Fact[],
  state: State,
  damage: readonly Damage[],
): readonly Fact[] {
  const lines = damage.filter(({ kind }) => kind !== "torn_tail").length;
  if (lines === 0) return facts;
  const note =
    `\n[pawl] The record of this session was damaged on disk in ${lines} ${lines === 1 ? "place" : "places"}: the ` +
    "conversation above may lack steps that really happened. Look at the files as they are before you rely on it.";
  if (isTold(state, note)) return facts;
  return facts.map((fact) =>
    fact.type === "input.received" && fact.kind !== "compact"
      ? { ...fact, blocks: [...fact.blocks, text(note)] }
      : fact,
  );
}

/** The note is part of the conversation, so the journal itself says whether it was given. */
const isTold = ({ messages, inbox }: State, note: string): boolean =>
  [...messages, ...inbox].some(({ blocks }) =>
    blocks.some((block) => block.type === "text" && block.text === note),
  );
