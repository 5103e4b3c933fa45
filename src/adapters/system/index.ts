export { replaceFile, syncFolder, writeFileAtomic } from "./atomic-file.ts";
export { systemClock } from "./clock.ts";
export { crashPointFrom } from "./crash-point.ts";
export { makeFolders } from "./make-folders.ts";
export { systemEntropy } from "./entropy.ts";
