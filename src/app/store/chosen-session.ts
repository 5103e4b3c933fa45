import { PawlError } from "#core";
import type { SessionInfo, Store } from "#runtime";
import type { OpenRequest } from "../open-request.ts";
import { findSession, latestSession } from "./ground.ts";

/**
 * The session that is to go on, or to be forked; null for a new one.
 * @throws PawlError `session_not_found`, `session_ambiguous`, `usage`
 */
export async function chosenSession(
  store: Store,
  { which, cwd, settings }: OpenRequest,
): Promise<SessionInfo | null> {
  const { words } = settings;
  switch (which.at) {
    case "new":
      return null;
    case "latest": {
      const latest = await latestSession(store, cwd);
      if (latest === null) throw new PawlError("session_not_found", words.session.none(cwd));
      return latest;
    }
    case "resume": {
      if (which.id !== null) return findSession(store, which.id);
      const list = await store.list({ cwd });
      const lines = list.map(({ id, title }) => `  ${id}  ${title}`);
      throw new PawlError("usage", words.session.chooseHeadless(lines.join("\n")));
    }
    case "fork":
      return findSession(store, which.id);
    default:
      return which satisfies never;
  }
}
