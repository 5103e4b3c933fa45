import type { Stats } from "node:fs";
import { codecFor, type Codec } from "./codecs.ts";
import { detectEncoding } from "./encodings.ts";
import { countLineEnds, lineEndStyle, type LineEnds, type LineEndStyle } from "./line-ends.ts";
import { openRegular, readAll } from "./regular-file.ts";
import { isTrouble, trouble, troubleOf, type Trouble } from "./trouble.ts";

/** A text file as it stands on disk, with everything that must be kept when it is written again. */
export interface TextDocument {
  readonly bytes: Buffer;
  readonly stats: Stats;
  /** Without the byte order mark, line ends as they are. */
  readonly text: string;
  readonly codec: Codec;
  readonly bomBytes: number;
  readonly ends: LineEnds;
  readonly style: LineEndStyle;
}

/** Bytes and state of a regular file, read through one handle. */
export interface FileImage {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Reads a whole regular file by its real path; files over `mostBytes` are `too_large`. */
export async function readImage(path: string, mostBytes: number): Promise<FileImage | Trouble> {
  const file = await openRegular(path);
  if (isTrouble(file)) return file;
  try {
    const bytes = await readAll(file, mostBytes);
    if (bytes !== null) return { bytes, stats: file.stats };
    return trouble(
      "too_large",
      `${path} is larger than ${mostBytes >> 20} MB; nothing was changed. Use bash for files of this size.`,
    );
  } catch (error) {
    return troubleOf(error, path);
  } finally {
    await file.handle.close();
  }
}

/** Decodes a file; null when it is no text. */
export async function decodeDocument({ bytes, stats }: FileImage): Promise<TextDocument | null> {
  const detected = await detectEncoding(bytes);
  if (detected === null) return null;
  const codec = await codecFor(detected.encoding);
  const text = codec.decode(bytes.subarray(detected.bomBytes));
  const ends = countLineEnds(text);
  return {
    bytes,
    stats,
    text,
    codec,
    bomBytes: detected.bomBytes,
    ends,
    style: lineEndStyle(ends),
  };
}

/** One span of a document's text to be replaced; positions in UTF-16 units. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The bytes of the document with some spans replaced. Everything outside the spans is copied, never decoded
 * and encoded again. `changes` are in order and do not overlap.
 */
export function spliceDocument(
  document: TextDocument,
  changes: readonly Change[],
): Buffer | Trouble {
  const parts: Buffer[] = [];
  const position = bytePositions(document);
  let copied = 0;
  for (const change of changes) {
    const from = position(change.from);
    const to = position(change.to);
    if (from === null || to === null) return unfaithful(document);
    const encoded = document.codec.encode(change.text);
    if ("unmappable" in encoded) return unmappable(document, encoded.unmappable);
    parts.push(document.bytes.subarray(copied, from), encoded);
    copied = to;
  }
  parts.push(document.bytes.subarray(copied));
  return Buffer.concat(parts);
}

/** Byte position of a text position; asked in rising order. Null when the encoding does not give it exactly. */
function bytePositions(document: TextDocument): (at: number) => number | null {
  const { text, bytes, bomBytes, codec } = document;
  if (codec.encoding.startsWith("utf-16")) return (at) => bomBytes + at * 2;
  let known = { text: 0, byte: bomBytes };
  return (at) => {
    // In each of these encodings the byte 0A is a line feed and nothing else, so lines keep in step.
    for (let end = text.indexOf("\n", known.text); end >= 0 && end < at;) {
      const byte = bytes.indexOf(0x0a, known.byte);
      if (byte < 0) return null;
      known = { text: end + 1, byte: byte + 1 };
      end = text.indexOf("\n", known.text);
    }
    const before = codec.encode(text.slice(known.text, at));
    if ("unmappable" in before) return null;
    const byte = known.byte + before.length;
    if (!bytes.subarray(known.byte, byte).equals(before)) return null;
    known = { text: at, byte };
    return byte;
  };
}

const unfaithful = ({ codec }: TextDocument): Trouble =>
  trouble(
    "unsupported_encoding",
    `The file looks like ${codec.encoding}, but some bytes of the line to edit are not; nothing was changed. ` +
      "Edit it with bash, byte by byte.",
  );

function unmappable({ codec }: TextDocument, character: string): Trouble {
  const point = character.codePointAt(0) ?? 0;
  const label = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return trouble(
    "unmappable_character",
    `The file is ${codec.encoding}, which has no character ${character.toWellFormed()} (${label}); nothing was ` +
      "changed. Use a character the encoding has, or convert the file first (bash: iconv).",
  );
}

export { unmappable as unmappableTrouble };
