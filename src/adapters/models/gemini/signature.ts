/**
 * Models from Gemini 3 on refuse a call in the history whose first of a reply bears no signature of theirs. For calls
 * that another model made there is a word that is no signature and is taken as one.
 * Source: "Thought signatures", Gemini API documentation, 2026-11.
 */
export const noSignature = "skip_thought_signature_validator";

/** Names nobody knows may be newer: the word does no harm to a model that asks for none. */
export const wantsSignature = (model: string): boolean =>
  !/^(?:models\/)?(?:gemini-(?:1|2)(?!\d)|gemma|learnlm)/.test(model);
