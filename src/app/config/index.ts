export { closestName } from "./closest-name.ts";
export { findKey, isHttpUrl, modes, problemWith } from "./keys.ts";
export { parseAmount, parseCount, parseDuration, parseTurns } from "./limits.ts";
export { rulesFromFlags } from "./policy.ts";
export type { Setting } from "./read.ts";
export { loadSettings, type ProviderSettings, type Settings } from "./settings.ts";
