import type { SessionInfo } from "#runtime";

/** Last used first; ids sort by time, so they decide what the clock cannot tell apart. */
export function newestFirst(a: SessionInfo, b: SessionInfo): number {
  return b.updatedAt - a.updatedAt || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}
