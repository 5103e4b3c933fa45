import { createContext, Script } from "node:vm";
import { errnoOf } from "../../workspace/index.ts";

/** Indexes of the lines that match; null when it took too long. */
export type Matcher = (lines: readonly string[]) => readonly number[] | null;

// Backtracking can take for ever; a script in a context of its own can be ended from outside.
const testAll = new Script(`(() => {
  const hits = [];
  for (let index = 0; index < lines.length; index++) if (expression.test(lines[index])) hits.push(index);
  return hits.join();
})()`);

/** Milliseconds for one batch of lines; the event loop waits so long at most. */
const mostMs = 500;

/** Matches lines against a regular expression that may be hostile. @throws SyntaxError for a wrong one */
export function timedMatcher(source: string, flags: string): Matcher {
  const expression = new RegExp(source, flags);
  const context = createContext({ expression });
  return (lines) => {
    context["lines"] = lines;
    try {
      // A plain string crosses the border of the context unchanged.
      const hits = String(testAll.runInContext(context, { timeout: mostMs }));
      return hits === "" ? [] : hits.split(",").map(Number);
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    }
  };
}

// The error may come from the context, where `Error` is another one.
const isTimeout = (error: unknown): boolean => errnoOf(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Without a guard, for expressions that cannot take long. */
export function plainMatcher(source: string, flags: string): Matcher {
  const expression = new RegExp(source, flags);
  return (lines) => lines.flatMap((line, index) => (expression.test(line) ? [index] : []));
}

/** With a guard (0.25 ms a batch) unless the expression is plainly harmless: no repeated group, one repetition at most. */
export function safeMatcher(source: string, flags: string): Matcher {
  const repetitions = source.match(/[*+]|\{\d*,/g)?.length ?? 0;
  const isHarmless = repetitions <= 1 && !/\)[*+?{]/.test(source);
  return isHarmless ? plainMatcher(source, flags) : timedMatcher(source, flags);
}
