import { createContext, Script } from "node:vm";

import { type OutputUnit, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";

import type { Json, JsonObject } from "#core";

/** What became of one validation. `endless`: it calls itself for ever, or takes longer than anybody waits. */
export type Verdict =
  | { readonly at: "fits" }
  | { readonly at: "misfit"; readonly errors: readonly OutputUnit[] }
  | { readonly at: "endless" };

/** Milliseconds the event loop may stand still for one answer. */
const mostMs = 1_000;
/** … and for the list of everything that is wrong, once it is known that something is. */
const mostMsForAll = 200;

// Patterns and references can take for ever; a script can be ended from outside, with everything it calls.
const runIt = new Script("run()");

/** By the end of `$schema`; none is said by most, who mean today's. */
const drafts: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft-0[34]/, "4"],
  [/draft-0[67]/, "7"],
  [/2019-09/, "2019-09"],
];

/** A validator for one schema, which it marks: give it a copy of its own. */
export function validatorOf(schema: JsonObject): (value: Json) => Verdict {
  const said = JSON.stringify(schema["$schema"] ?? null);
  const [, draft = "2020-12"] = drafts.find(([name]) => name.test(said)) ?? [];
  // Its own type knows no `readonly`.
  const first = new Validator(schema as Schema, draft, true);
  const all = new Validator(schema as Schema, draft, false);
  return (value) => {
    const found = within(mostMs, () => first.validate(value));
    if (found === null) return { at: "endless" };
    if (found.valid) return { at: "fits" };
    return {
      at: "misfit",
      errors: (within(mostMsForAll, () => all.validate(value)) ?? found).errors,
    };
  };
}

// Comes from the script's context, where `Error` is another one.
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** What the work gives; null when it takes too long or goes too deep. */
function within<T>(timeoutMs: number, work: () => T): T | null {
  let result: T | null = null;
  const run = (): void => {
    result = work();
  };
  try {
    runIt.runInContext(createContext({ run }), { timeout: timeoutMs });
    return result;
  } catch (error) {
    const isTooMuch = error instanceof RangeError || isTimeout(error);
    if (isTooMuch) return null;
    throw error;
  }
}
