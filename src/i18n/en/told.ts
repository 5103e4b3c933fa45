import { type Because, sentenceOf } from "#core";

/** What data of the engine says to people. English is what it says by itself. */
export const told = {
  told: { because: (why: Because): string => sentenceOf(why) },
};
