import { createHash } from "node:crypto";

/** The marker of a call's run: unlike the call's id, its folder belongs to one session only. */
export const callMarker = (runDir: string): string =>
  `pawl-${createHash("sha256").update(runDir).digest("hex").slice(0, 24)}`;

/** Others may put anything into the environment of their processes. */
export const isCallMarker = (word: string): boolean => /^pawl-[0-9a-f]{24}$/.test(word);
