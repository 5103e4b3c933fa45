export { syncFolder, writeFileAtomic } from "./atomic-file.ts";
export { systemClock } from "./clock.ts";
export { systemEntropy } from "./entropy.ts";
