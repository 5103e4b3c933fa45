import {
  type Because,
  evidenceOf,
  type Failure,
  type PawlError,
  type Refusal,
  sentenceOf,
  type Trace,
} from "#core";

/** As the journal's port has it. */
export interface Damage {
  readonly kind: "torn_tail" | "bad_line" | "broken_chain" | "emptied";
  readonly line: number;
  readonly message: string;
}

/** What data of the engine says to people. English is what it says by itself. */
export const told = {
  told: {
    because: (why: Because): string => sentenceOf(why),
    failure: ({ message }: Failure): string => message,
    evidence: (traces: readonly Trace[]): string => evidenceOf(traces),
    refusal: ({ message }: Refusal): string => message,
    damage: ({ message }: Damage): string => message,
    error: ({ code, message, values }: PawlError): string =>
      code === "session_not_found" && values?.["id"] !== undefined
        ? `There is no session ${values["id"]}. See: pawl sessions --all`
        : message,
    warning: (text: string): string => text,
  },
};
