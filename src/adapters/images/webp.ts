import { orientationIn } from "./exif.ts";
import { broken, cutOff, type Broken, type Found } from "./found.ts";

const type = "image/webp";

/** Reads the chunks of a WebP (container specification, 2023): the first says the size. */
export function inspectWebp(bytes: Buffer): Found | Broken {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return cutOff(type);
  const size = sizeIn(bytes);
  if (size === null) return broken(type, "is damaged (its first part says no size)");
  const flags = bytes.toString("latin1", 12, 16) === "VP8X" ? (bytes[20] ?? 0) : 0;
  const orientation = flags & hasExif ? exifOrientation(bytes) : 1;
  return {
    at: "image",
    mediaType: type,
    ...size,
    orientation,
    isAnimated: (flags & isMoving) !== 0,
  };
}

const hasExif = 0x08;
const isMoving = 0x02;

function sizeIn(bytes: Buffer): { readonly width: number; readonly height: number } | null {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      if (bytes[20] !== 0x2f) return null;
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

function exifOrientation(bytes: Buffer): number {
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (bytes.toString("latin1", at, at + 4) === "EXIF") {
      const isPrefixed = data.toString("latin1", 0, 4) === "Exif";
      return orientationIn(isPrefixed ? data.subarray(6) : data);
    }
    at += 8 + length + (length % 2);
  }
  return 1;
}
