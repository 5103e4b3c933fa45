import {
  countLines,
  decodeDocument,
  hashOf,
  isTrouble,
  readImage,
  shownPath,
  trouble,
  unmappableTrouble,
  type TextDocument,
  type Trouble,
} from "../../workspace/index.ts";
import { countOf, linesOf, sizeOf } from "../shared/ends.ts";
import { mostFileBytes, type FileChange } from "../shared/planned-file.ts";
import { omissionIn, omissionTrouble } from "../shared/omission.ts";

interface WriteInput {
  readonly path: string;
  readonly content: string;
}

type Before = NonNullable<FileChange["before"]>;

/** What a write would make of the file at this real path. */
export async function planWrite(
  input: WriteInput,
  path: string,
  { cwd }: { readonly cwd: string },
): Promise<FileChange | Trouble> {
  if (input.path.endsWith("/")) {
    return trouble("is_directory", `${input.path} names a folder. Give the path of a file.`);
  }
  const target = { path, shown: shownPath(path, cwd) };
  const image = await readImage(path, mostFileBytes);
  if (!isTrouble(image)) {
    const before = { ...image, hash: hashOf(image.bytes) };
    return planOver(before, await decodeDocument(image), { ...target, content: input.content });
  }
  const after = Buffer.from(input.content, "utf8");
  const lines = countLines(input.content);
  if (image.code === "file_not_found") {
    const what = after.length === 0 ? "new file, empty" : "new file";
    return report({ ...target, after, lines, before: null }, what);
  }
  if (image.code !== "too_large") return image;
  return trouble(
    "too_large",
    `${target.shown} exists and is larger than ${mostFileBytes >> 20} MB, so its content could not be kept for undo; ` +
      "it was not overwritten. Move or delete it first with bash.",
  );
}

/** Over an existing file: what has a clear style keeps it. */
function planOver(
  before: Before,
  document: TextDocument | null,
  target: { readonly path: string; readonly shown: string; readonly content: string },
): FileChange | Trouble {
  const { content, shown } = target;
  const lines = countLines(content);
  const old = sizeOf(before.bytes.length);
  if (document === null) {
    const after = Buffer.from(content, "utf8");
    return report({ ...target, after, lines, before }, `replaced a binary file of ${old}`);
  }
  const omission = omissionIn(content, document.text);
  if (omission !== null) return omissionTrouble(shown, omission);
  const kept: string[] = [];
  const after = inStyle(document, content, kept);
  if (isTrouble(after)) return after;
  const said = [`replaced ${old}, ${countOf(countLines(document.text), "line")}`];
  if (kept.length > 0) said.push(`kept ${kept.join(", ")}`);
  return report({ ...target, after, lines, before }, said.join("; "));
}

function inStyle(document: TextDocument, content: string, kept: string[]): Buffer | Trouble {
  const { codec, bomBytes, style } = document;
  let written = content;
  if (style === "crlf" && !content.includes("\r") && content.includes("\n")) {
    written = content.replaceAll("\n", "\r\n");
    kept.push("CRLF line ends");
  }
  if (codec.encoding !== "utf-8") kept.push(`encoding ${codec.encoding}`);
  if (bomBytes > 0) {
    kept.push("byte order mark");
    if (written.startsWith("\ufeff")) written = written.slice(1);
  }
  const encoded = codec.encode(written);
  if ("unmappable" in encoded) return unmappableTrouble(document, encoded.unmappable);
  return Buffer.concat([document.bytes.subarray(0, bomBytes), encoded]);
}

function report(
  target: {
    readonly path: string;
    readonly shown: string;
    readonly after: Buffer;
    readonly lines: number;
    readonly before: Before | null;
  },
  how: string,
): FileChange {
  const { path, shown, after, before } = target;
  const lines = target.lines === 0 ? null : ([1, target.lines] as const);
  const bytes = countOf(after.length, "byte");
  if (before !== null && before.hash === hashOf(after)) {
    const message = `nothing written: ${shown} has exactly this content already (${bytes})`;
    return { path, before, after, like: before.stats, lines: null, message };
  }
  const where = lines === null ? "" : `, ${linesOf(lines)}`;
  const message = `wrote ${bytes} to ${shown}${where} (${how})`;
  return { path, before, after, like: before?.stats ?? null, lines, message };
}
