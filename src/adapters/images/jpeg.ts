import { orientationIn } from "./exif.ts";
import { broken, cutOff, type Broken, type Found } from "./found.ts";

const type = "image/jpeg";
const exifHead = "Exif\0\0";

/** Walks the segments of a JPEG up to its data, and looks whether the mark of its end is there. */
export function inspectJpeg(bytes: Buffer): Found | Broken {
  let size: { readonly width: number; readonly height: number } | null = null;
  let orientation = 1;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return broken(type, "is damaged (a segment begins with no mark)");
    const mark = bytes[at + 1] ?? 0;
    if (mark === 0xff || isBare(mark)) {
      at += mark === 0xff ? 1 : 2;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return cutOff(type);
    const data = bytes.subarray(at + 4, end);
    if (isFrame(mark) && data.length >= 5) {
      size ??= { height: data.readUInt16BE(1), width: data.readUInt16BE(3) };
    }
    if (mark === 0xe1 && data.toString("latin1", 0, 6) === exifHead) {
      orientation = orientationIn(data.subarray(6));
    }
    if (mark === 0xda) {
      if (size === null) return broken(type, "is damaged (its data comes before its head)");
      if (!bytes.includes(endMark, end)) return cutOff(type);
      return { at: "image", mediaType: type, ...size, orientation, isAnimated: false };
    }
    if (mark === 0xd9) return broken(type, "holds no picture");
    at = Math.max(end, at + 4);
  }
  return cutOff(type);
}

const endMark = Buffer.from([0xff, 0xd9]);

/** Marks without a length: TEM and RST0 … RST7. */
const isBare = (mark: number): boolean => mark === 0x01 || (mark >= 0xd0 && mark <= 0xd7);

/** SOF0 … SOF15 without DHT, JPG and DAC, which share their range (ITU T.81, table B.1). */
const isFrame = (mark: number): boolean =>
  mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc;
