import { PawlError, type SessionId } from "#core";

/** Ids become names of folders: letters, digits, dash and underscore only. */
export const isSessionName = (name: string): boolean => /^[A-Za-z0-9][\w-]{0,63}$/.test(name);

/** @throws PawlError `invalid_session_id` */
export function requireSessionName(id: SessionId): void {
  if (isSessionName(id)) return;
  throw new PawlError(
    "invalid_session_id",
    `${JSON.stringify(id.slice(0, 80))} is no session id: 1 to 64 letters, digits, - and _.`,
  );
}
