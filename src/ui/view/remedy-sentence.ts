import type { Remedy } from "#core";
import type { Words } from "#i18n";

/** Why a request failed, and what is done about it. */
export function remedySentence(why: string, remedy: Remedy, { progress }: Words): string {
  switch (remedy.type) {
    case "fall_back":
      return progress.remedy.fallBack(why, remedy.model);
    case "withhold":
      return progress.remedy.withhold[remedy.what](why);
    case "tell":
      return progress.remedy.tell(why);
    default:
      return remedy satisfies never;
  }
}
