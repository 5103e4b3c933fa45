import { broken, cutOff, type Broken, type Found } from "./found.ts";

const type = "image/gif";
const screenHeadBytes = 13;
const frameHeadBytes = 10;

/** Walks the blocks of a GIF up to its second frame. A frame may be larger than the screen, and counts for its size. */
export function inspectGif(bytes: Buffer): Found | Broken {
  if (bytes.length < screenHeadBytes) return cutOff(type);
  let width = bytes.readUInt16LE(6);
  let height = bytes.readUInt16LE(8);
  let frames = 0;
  for (let at = screenHeadBytes + tableBytes(bytes[10]); frames < 2;) {
    const kind = bytes[at];
    if (kind === extension) at = afterBlocks(bytes, at + 2);
    else if (kind === frame && at + frameHeadBytes <= bytes.length) {
      width = Math.max(width, bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 7));
      // Behind the colours stands one byte, the size of the first code.
      const end = afterBlocks(bytes, at + frameHeadBytes + tableBytes(bytes[at + 9]) + 1);
      if (end > bytes.length) break;
      at = end;
      frames += 1;
    } else if (kind === trailer && frames === 0) return broken(type, "holds no picture");
    else break;
  }
  // Decoders do without what is missing behind a whole frame.
  if (frames === 0) return cutOff(type);
  return { at: "image", mediaType: type, width, height, orientation: 1, isAnimated: frames > 1 };
}

const extension = 0x21;
const frame = 0x2c;
const trailer = 0x3b;

/** A colour table is as long as three bits of the byte before it say (GIF89a, 18 and 20). */
const tableBytes = (flags: number = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Where a chain of sub-blocks ends; beyond the bytes when it does not. */
function afterBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
    at += 1 + length;
    if (length === 0) return at;
  }
  return bytes.length + 1;
}
