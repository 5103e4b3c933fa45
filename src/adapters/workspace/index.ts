export { codecFor, showable, type Codec, type Encoding } from "./codecs.ts";
export { detectEncoding, type Detected } from "./encodings.ts";
export { hashOf, hashOfFile } from "./hashes.ts";
export { holdFolder, type HeldFolder } from "./held-folder.ts";
export {
  countLineEnds,
  countLines,
  lineEndStyle,
  withLineFeeds,
  type LineEnds,
  type LineEndStyle,
} from "./line-ends.ts";
export { diffLines } from "./line-diff.ts";
export { mergeLines, type MergedHunk } from "./merge-lines.ts";
export { diskName, showName } from "./names.ts";
export { absolutePath, isInside, locate, pathProblem, shownPath } from "./paths.ts";
export { kindTrouble, openRegular, readAll, type OpenFile } from "./regular-file.ts";
export {
  changedMeanwhile,
  removeTemporary,
  stageChange,
  stagedBefore,
  type FileBefore,
  type Notes,
  type Replacement,
  type StagedChange,
} from "./staged-change.ts";
export {
  decodeDocument,
  readImage,
  spliceDocument,
  unmappableTrouble,
  type Change,
  type FileImage,
  type TextDocument,
} from "./text-document.ts";
export { errnoOf, isTrouble, trouble, troubleOf, type Trouble } from "./trouble.ts";
