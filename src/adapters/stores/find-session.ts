import { PawlError } from "#core";
import type { SessionInfo, Store } from "#runtime";
import { sessionNotFound } from "./store-errors.ts";

const mostNamed = 5;

/**
 * The session an id or the unique beginning of one means; upper and lower case count the same.
 * @throws PawlError `session_not_found`, `session_ambiguous`
 */
export async function findSession(store: Store, prefix: string): Promise<SessionInfo> {
  const wanted = prefix.trim().toUpperCase();
  const sessions = wanted === "" ? [] : await store.list();
  const matches = sessions.filter(({ id }) => id.toUpperCase().startsWith(wanted));
  const [first, second] = matches;
  if (first === undefined) throw sessionNotFound(prefix);
  if (second === undefined) return first;
  const exact = matches.filter(({ id }) => id.length === wanted.length);
  const [only] = exact.filter(({ id }) => exact.length === 1 || id === prefix.trim());
  if (only !== undefined) return only;
  const named = matches.slice(0, mostNamed).map(({ id, title }) => `${id} ${title}`.trim());
  const more = matches.length > mostNamed ? `, and ${matches.length - mostNamed} more` : "";
  throw new PawlError(
    "session_ambiguous",
    `${matches.length} sessions begin with ${JSON.stringify(prefix.slice(0, 80))}: ${named.join(", ")}${more}. Give more of the id.`,
    {
      values: {
        prefix: prefix.slice(0, 80),
        ids: matches
          .slice(0, mostNamed)
          .map(({ id }) => id)
          .join(", "),
      },
    },
  );
}
