export { replaceFile, syncFolder, writeFileAtomic } from "./atomic-file.ts";
export { systemClock } from "./clock.ts";
export { crashPointFrom } from "./crash-point.ts";
export { systemEntropy } from "./entropy.ts";
