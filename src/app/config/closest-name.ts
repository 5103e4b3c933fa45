import { closest, distance } from "fastest-levenshtein";

/** The name that was probably meant; null when none is near: a wild guess would mislead. */
export function closestName(written: string, names: readonly string[]): string | null {
  const near = closest(written, names);
  const most = Math.min(written.length - 2, Math.max(2, written.length / 3));
  return distance(written, near) <= most ? near : null;
}
