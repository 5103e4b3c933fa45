import { isUtf8 } from "node:buffer";
import { sequenceLength } from "./names.ts";

export type Encoding =
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "gb18030"
  | "big5"
  | "shift_jis"
  | "euc-jp"
  | "euc-kr"
  | "windows-1252";

/** Text to bytes and back. Neither knows of byte order marks. */
export interface Codec {
  readonly encoding: Encoding;
  decode(bytes: Buffer): string;
  /** What no character of the encoding stands for comes back as the character itself. */
  encode(text: string): Buffer | { readonly unmappable: string };
}

export async function codecFor(encoding: Encoding): Promise<Codec> {
  switch (encoding) {
    case "utf-8":
      return utf8;
    case "utf-16le":
    case "utf-16be":
      return utf16(encoding);
    case "windows-1252":
      return windows1252();
    case "gb18030":
    case "big5":
    case "shift_jis":
    case "euc-jp":
    case "euc-kr":
      return await tableCodec(encoding);
    default:
      return encoding satisfies never;
  }
}

// Bytes that are no UTF-8 become lone surrogates U+DC80 … U+DCFF and turn back into the very bytes (as in
// PEP 383), so that a file with one broken byte can be edited without touching it.
const escapeBase = 0xdc00;
const escapedByte = /[\udc80-\udcff]/;
/** Not preceded by the other half, or it would be a character. */
const escapedBytes = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;

const utf8: Codec = {
  encoding: "utf-8",
  decode: (bytes) => (isUtf8(bytes) ? bytes.toString("utf8") : decodeBroken(bytes)),
  encode(text) {
    if (!escapedByte.test(text) || text.isWellFormed()) return Buffer.from(text, "utf8");
    const parts: Buffer[] = [];
    let from = 0;
    for (const match of text.matchAll(escapedBytes)) {
      parts.push(Buffer.from(text.slice(from, match.index), "utf8"));
      parts.push(Buffer.of(match[0].charCodeAt(0) - escapeBase));
      from = match.index + 1;
    }
    parts.push(Buffer.from(text.slice(from), "utf8"));
    return Buffer.concat(parts);
  },
};

function decodeBroken(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString("utf8", from, at));
    parts.push(String.fromCharCode(escapeBase + (bytes[at] ?? 0)));
    at += 1;
    from = at;
  }
  parts.push(bytes.toString("utf8", from));
  return parts.join("");
}

/** Text as it may be shown: bytes that are no text become U+FFFD. */
export const showable = (text: string): string => text.toWellFormed();

function utf16(encoding: "utf-16le" | "utf-16be"): Codec {
  // `swap16` works in place and needs whole pairs.
  const order = (bytes: Buffer): Buffer =>
    encoding === "utf-16le" ? bytes : Buffer.from(bytes).swap16();
  return {
    encoding,
    decode: (bytes) => order(bytes.subarray(0, bytes.length & ~1)).toString("utf16le"),
    encode: (text) => order(Buffer.from(text, "utf16le")),
  };
}

function windows1252(): Codec {
  const all = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, i) => i));
  const bytes = new Map(Array.from(all).map((character, byte) => [character, byte]));
  return {
    encoding: "windows-1252",
    decode: (encoded) => new TextDecoder("windows-1252").decode(encoded),
    encode(text) {
      const encoded = Buffer.allocUnsafe(text.length);
      let at = 0;
      for (const character of text) {
        const byte = bytes.get(character);
        if (byte === undefined) return { unmappable: character };
        encoded[at++] = byte;
      }
      return encoded.subarray(0, at);
    },
  };
}

async function tableCodec(
  encoding: "gb18030" | "big5" | "shift_jis" | "euc-jp" | "euc-kr",
): Promise<Codec> {
  const { default: iconv } = await import("iconv-lite");
  const decode = (bytes: Buffer): string => iconv.decode(bytes, encoding, { stripBOM: false });
  const encode = (text: string): Buffer => iconv.encode(text, encoding);
  return {
    encoding,
    decode,
    encode(text) {
      const encoded = encode(text);
      if (decode(encoded) === text) return encoded;
      const unmappable = Array.from(text).find(
        (character) => decode(encode(character)) !== character,
      );
      return { unmappable: unmappable ?? "\ufffd" };
    },
  };
}
