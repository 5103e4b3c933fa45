import type { ToolEnv } from "#runtime";
import {
  decodeDocument,
  hashOf,
  isTrouble,
  readImage,
  shownPath,
  spliceDocument,
  trouble,
  type TextDocument,
  type Trouble,
} from "../../workspace/index.ts";
import { countOf, linesOf } from "../shared/ends.ts";
import { mostFileBytes, type FileChange } from "../shared/planned-file.ts";
import { seenHash } from "../shared/seen.ts";
import { notThere } from "../shared/not-there.ts";
import { brokenJson } from "./broken-json.ts";
import type { FoundEdits } from "./find-edits.ts";
import { flatten } from "../shared/flat-text.ts";
import { changedLines, placeChanges, type ChangedLines } from "../shared/place-changes.ts";

/** Finds what is to be replaced in a text whose line ends are LF; `shown` is the path for messages. */
export type Find = (flat: string, shown: string) => FoundEdits | Trouble;

/** What would become of the file at this real path: all that was found is replaced, or there is trouble. */
export async function planEdit(
  path: string,
  env: ToolEnv,
  find: Find,
): Promise<FileChange | Trouble> {
  const { cwd } = env;
  const shown = shownPath(path, cwd);
  const image = await readImage(path, mostFileBytes);
  if (isTrouble(image)) {
    return image.code === "file_not_found"
      ? notThere(path, cwd, "To make a file use write.")
      : image;
  }
  const document = await decodeDocument(image);
  if (document === null) {
    return trouble(
      "binary_file",
      `${shown} is a binary file, which edit cannot change; nothing was changed.`,
    );
  }
  const flatText = flatten(document.text);
  const found = find(flatText.flat, shown);
  if (isTrouble(found)) return found;
  const after = spliceDocument(document, placeChanges(document, flatText, found.places));
  if (isTrouble(after)) return after;
  const changed = changedLines(flatText.flat, found.places);
  const said = report({ shown, bytes: after.length, ...found }, changed, document);
  const broken = brokenJson(path, document.text, () =>
    document.codec.decode(after.subarray(document.bomBytes)),
  );
  const before = { ...image, hash: hashOf(image.bytes) };
  return {
    path,
    before,
    after,
    like: image.stats,
    lines: changed.lines,
    message: broken === null ? said : `${said}\n[${broken}]`,
    isKnown: seenHash(path, env) === before.hash,
  };
}

function report(
  wrote: FoundEdits & { readonly shown: string; readonly bytes: number },
  { lines, removedAt }: ChangedLines,
  { style, codec, bomBytes }: TextDocument,
): string {
  const said = [`changed ${countOf(wrote.places.length, "place")}`];
  if (wrote.tolerated.length > 0) {
    said.push(`old_text differed from the file in ${wrote.tolerated.join(", ")}`);
  }
  if (removedAt !== null) said.push(`removed whole lines at line ${removedAt}`);
  const kept = [
    ...(style === "crlf" || style === "cr" ? [`${style.toUpperCase()} line ends`] : []),
    ...(style === "mixed" ? ["mixed line ends"] : []),
    ...(codec.encoding === "utf-8" ? [] : [`encoding ${codec.encoding}`]),
    ...(bomBytes > 0 ? ["byte order mark"] : []),
  ];
  if (kept.length > 0) said.push(`kept ${kept.join(", ")}`);
  const where = lines === null ? "" : `, ${linesOf(lines)}`;
  return `wrote ${countOf(wrote.bytes, "byte")} to ${wrote.shown}${where} (${said.join("; ")})`;
}
