import type { ToolEnv } from "#runtime";
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
import { seenHash } from "../shared/seen.ts";
import { mergeWrite } from "./merge-write.ts";
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
  env: ToolEnv,
): Promise<FileChange | Trouble> {
  const { cwd } = env;
  if (input.path.endsWith("/")) {
    return trouble("is_directory", `${input.path} names a folder. Give the path of a file.`);
  }
  const target = { path, shown: shownPath(path, cwd) };
  const image = await readImage(path, mostFileBytes);
  if (!isTrouble(image)) {
    const before = { ...image, hash: hashOf(image.bytes) };
    const document = await decodeDocument(image);
    return await planOver(before, document, { ...target, content: input.content, env });
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

interface Target {
  readonly path: string;
  readonly shown: string;
  readonly content: string;
  readonly env: ToolEnv;
}

/** Over an existing file: what has a clear style keeps it, and what the model does not know is not overwritten. */
async function planOver(
  before: Before,
  document: TextDocument | null,
  target: Target,
): Promise<FileChange | Trouble> {
  const { content, shown, path, env } = target;
  const lines = countLines(content);
  const old = sizeOf(before.bytes.length);
  const seen = seenHash(path, env);
  if (document === null) {
    if (seen !== before.hash) return binary(shown, old);
    const after = Buffer.from(content, "utf8");
    return report({ ...target, after, lines, before }, `replaced a binary file of ${old}`);
  }
  const omission = omissionIn(content, document.text);
  if (omission !== null) return omissionTrouble(shown, omission);
  const kept: string[] = [];
  const after = inStyle(document, content, kept);
  if (isTrouble(after)) return after;
  const isKnown = seen === before.hash || document.text.trim() === "" || after.equals(before.bytes);
  if (!isKnown) return await planMerge(before, { ...target, document, seen });
  const said = [`replaced ${old}, ${countOf(countLines(document.text), "line")}`];
  if (kept.length > 0) said.push(`kept ${kept.join(", ")}`);
  return report({ ...target, after, lines, before }, said.join("; "));
}

const binary = (shown: string, size: string): Trouble =>
  trouble(
    "binary_file",
    `${shown} is a binary file of ${size} and was not overwritten, because what it holds was not read in this session. ` +
      "Remove it first with bash if its content is not wanted any more.",
  );

async function planMerge(
  before: Before,
  target: Target & { readonly document: TextDocument; readonly seen: string | null },
): Promise<FileChange | Trouble> {
  const { path, shown, env } = target;
  const merged = await mergeWrite(target, env);
  if (isTrouble(merged)) return merged;
  const { after, lines, theirs } = merged;
  const where = lines === null ? "" : `, ${linesOf(lines)}`;
  const message =
    `wrote ${countOf(after.length, "byte")} to ${shown}${where} (merged: the file was changed since you read it, and ` +
    `those changes are kept)\nChanged since (- as you know it, + as it is now):\n${theirs}`;
  return { path, before, after, like: before.stats, lines, message, isKnown: true };
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
    return { path, before, after, like: before.stats, lines: null, message, isKnown: true };
  }
  const where = lines === null ? "" : `, ${linesOf(lines)}`;
  const message = `wrote ${bytes} to ${shown}${where} (${how})`;
  return { path, before, after, like: before?.stats ?? null, lines, message, isKnown: true };
}
