import { isUtf8 } from "node:buffer";
import type { Encoding } from "./codecs.ts";
import { sequenceLength } from "./names.ts";

/** How the bytes of a text file are to be read. */
export interface Detected {
  readonly encoding: Encoding;
  /** Length of the byte order mark, 0 without one. */
  readonly bomBytes: number;
}

const marks: readonly (readonly [bytes: readonly number[], encoding: Encoding | null])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  // UTF-32 begins like UTF-16; nobody writes it, and it is treated as binary.
  [[0xff, 0xfe, 0, 0], null],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** Bytes the statistical detector is shown: enough to be sure, little enough to be quick. */
const detectorBytes = 16_384;
/** Per cent. Below, chardet guesses: it gives any short Chinese line to Big5. */
const leastConfidence = 50;

/**
 * The ladder: byte order mark, pattern of NUL bytes, strict UTF-8, UTF-8 with a few broken bytes, a statistical
 * guess that is believed for Big5, Shift_JIS and EUC only, strict GB18030, windows-1252.
 * Null = not text. `sample` may be the beginning of a file, cut anywhere.
 */
export async function detectEncoding(sample: Buffer): Promise<Detected | null> {
  const mark = marks.find(([bytes]) => bytes.every((byte, index) => sample[index] === byte));
  if (mark !== undefined) {
    const [bytes, encoding] = mark;
    return encoding === null ? null : { encoding, bomBytes: bytes.length };
  }
  const encoding = await withoutMark(sample);
  return encoding === null ? null : { encoding, bomBytes: 0 };
}

async function withoutMark(sample: Buffer): Promise<Encoding | null> {
  if (sample.includes(0)) return wideEncoding(sample);
  if (isMostlyControl(sample)) return null;
  if (isUtf8(uncut(sample)) || isNearlyUtf8(sample)) return "utf-8";
  const telling = tellingLines(sample);
  const guess = await guessEncoding(telling);
  if (guess !== null && decodes(sample, guess)) return guess;
  return decodes(sample, "gb18030") ? "gb18030" : "windows-1252";
}

/** UTF-16 without a mark: of every two bytes one is often NUL, of mostly Western text, and the other hardly ever. */
function wideEncoding(sample: Buffer): Encoding | null {
  const nuls = [0, 0];
  for (let at = 0; at < sample.length; at++) {
    if (sample[at] === 0) nuls[at & 1] = (nuls[at & 1] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = nuls;
  const pairs = sample.length / 2;
  const encoding = odd > even ? "utf-16le" : "utf-16be";
  if (Math.min(even, odd) > pairs * 0.02) return null;
  if (Math.max(even, odd) < pairs * 0.4) return isEastAsian(sample, encoding) ? encoding : null;
  if (isMostlyControl(sample.filter((byte) => byte !== 0))) return null;
  return decodes(sample.subarray(0, sample.length & ~1), encoding) ? encoding : null;
}

/** UTF-16 units that are looked at. */
const eastAsianUnits = 4096;
/** ASCII that text has, punctuation, kana, ideographs, hangul, full-width forms: half of all units are none of them. */
const eastAsian =
  /[\t\n\r -~\u00a0-\u00ff\u2010-\u2027\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]/g;

/** Chinese, Japanese or Korean: only blanks, line ends and the like hold a NUL. */
function isEastAsian(sample: Buffer, encoding: "utf-16le" | "utf-16be"): boolean {
  const text = new TextDecoder(encoding).decode(sample.subarray(0, eastAsianUnits * 2));
  const usual = text.match(eastAsian)?.length ?? 0;
  return usual >= text.length * 0.97 && decodes(sample.subarray(0, sample.length & ~1), encoding);
}

/** Bytes that are looked at one by one; what begins as text is text. */
const controlBytes = 1 << 16;

/** Text holds few control characters beside tab, line ends, form feed and escape. */
function isMostlyControl(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, controlBytes);
  let controls = 0;
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at] ?? 0;
    if ((byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f) controls++;
  }
  return controls > sample.length * 0.1;
}

/** Without the character that the end of the sample cuts. */
function uncut(sample: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= sample.length; back++) {
    const byte = sample[sample.length - back] ?? 0;
    if (byte < 0x80) return sample;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? sample.subarray(0, sample.length - back) : sample;
  }
  return sample;
}

/**
 * Two good sequences for each broken byte. Text of the other encodings reaches 0.3 at most: few of its bytes happen
 * to form sequences. Taken for another encoding, an edit could change half a character.
 */
function isNearlyUtf8(sample: Buffer): boolean {
  let good = 0;
  let broken = 0;
  for (let at = 0; at < sample.length;) {
    if ((sample[at] ?? 0) < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceLength(sample, at);
    if (length > 0) good += 1;
    else broken += 1;
    at += Math.max(length, 1);
  }
  return good >= broken * 2;
}

/** The lines that hold more than ASCII, up to the detector's share. */
function tellingLines(sample: Buffer): Buffer {
  const lines: Buffer[] = [];
  let bytes = 0;
  for (let from = 0; from < sample.length && bytes < detectorBytes;) {
    const end = sample.indexOf(0x0a, from);
    const line = sample.subarray(from, end < 0 ? sample.length : end + 1);
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line.subarray(0, detectorBytes));
      bytes += line.length;
    }
    from += line.length;
  }
  return Buffer.concat(lines).subarray(0, detectorBytes);
}

const believed: Readonly<Record<string, Encoding>> = {
  Big5: "big5",
  Shift_JIS: "shift_jis",
  "EUC-JP": "euc-jp",
  "EUC-KR": "euc-kr",
};

async function guessEncoding(telling: Buffer): Promise<Encoding | null> {
  const { default: chardet } = await import("chardet");
  const [best] = chardet.analyse(telling);
  if (best === undefined || best.confidence < leastConfidence) return null;
  return believed[best.name] ?? null;
}

/** Strictly, but for a character cut at the end. */
function decodes(sample: Buffer, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    // Not this encoding: that is the answer.
    return false;
  }
}
