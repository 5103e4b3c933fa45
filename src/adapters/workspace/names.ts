import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";

// File names are bytes, strings are not. A name that is no UTF-8, or holds control characters, is shown with `\xHH`
// for each such byte, and this spelling finds the file again, unless a file really has that name.

const escaped = /\\x[0-9A-F]{2}/;

/** A name or path as people and models see it. */
export function showName(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  if (/^[ -~]*$/.test(text)) return text;
  const isPlain = isUtf8(bytes) && !bytes.some(isControl);
  return isPlain ? bytes.toString("utf8") : showBytes(bytes);
}

const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f;

function showBytes(bytes: Buffer): string {
  let shown = "";
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    const isWhole = length > 0 && !isControl(bytes[at] ?? 0);
    shown += isWhole
      ? bytes.toString("utf8", at, at + length)
      : `\\x${bytes.toString("hex", at, at + 1).toUpperCase()}`;
    at += isWhole ? length : 1;
  }
  return shown;
}

/** Length of the well-formed UTF-8 sequence that starts here; 0 when there is none. */
export function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** What to hand to the file system for a shown path: the path itself, or its bytes. */
export function diskName(shown: string): string | Buffer {
  if (!escaped.test(shown) || exists(shown)) return shown;
  const bytes = Buffer.from(
    Buffer.from(shown, "utf8")
      .toString("latin1")
      .replaceAll(/\\x([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    "latin1",
  );
  return exists(bytes) ? bytes : shown;
}

const exists = (path: string | Buffer): boolean =>
  lstatSync(path, { throwIfNoEntry: false }) !== undefined;
