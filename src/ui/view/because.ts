import type { Because } from "#core";
import type { Words } from "#i18n";

/** Why a call was judged so, in the person's language; somebody's own words, and reasons of a later version, as they are. */
export function reasonFor(
  { because, reason }: { readonly because: Because | null; readonly reason: string },
  { told }: Words,
): string {
  const said: unknown = because && told.because(because);
  return typeof said === "string" ? said : reason;
}
