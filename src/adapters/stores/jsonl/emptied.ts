import { statSync } from "node:fs";
import { join } from "node:path";

import type { Damage } from "#runtime";
import { readIdentity } from "./identity.ts";
import { journalName } from "./layout.ts";
import type { Opened } from "./log.ts";

/** The journal of a new session is made right before its folder is dated, in ms. */
const youngMs = 2_000;

/** A journal without a line is new, unless its file was changed well after it was made: then it was emptied. */
export function emptiedDamage(folder: string, { bytes }: Opened): readonly Damage[] {
  if (bytes > 0) return [];
  const createdAt = readIdentity(folder)?.createdAt ?? null;
  if (createdAt === null || changedAt(folder) - createdAt < youngMs) return [];
  const message =
    "Its file is empty, and was not when it was last written: all its steps are lost. What they did to your files stays. " +
    "The session begins anew; a backup of its folder would bring it back.";
  return [{ kind: "emptied", line: 0, message }];
}

function changedAt(folder: string): number {
  try {
    return statSync(join(folder, journalName)).mtimeMs;
  } catch {
    // It was opened just now; whoever removed it meanwhile is told by the next write.
    return 0;
  }
}
