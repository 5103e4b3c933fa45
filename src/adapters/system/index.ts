export { crashPointFrom } from "./crash-point.ts";
export { syncFolder, writeFileAtomic } from "./atomic-file.ts";
export { systemClock } from "./clock.ts";
export { systemEntropy } from "./entropy.ts";
