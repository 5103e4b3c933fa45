import { crc32 } from "node:zlib";
import { orientationIn } from "./exif.ts";
import { broken, cutOff, type Broken, type Found } from "./found.ts";

const type = "image/png";
const chunkOverheadBytes = 12;

/** Walks the chunks of a PNG to its end; their sums are looked at, the picture is not decoded. */
export function inspectPng(bytes: Buffer): Found | Broken {
  let size: { readonly width: number; readonly height: number } | null = null;
  let orientation = 1;
  let isAnimated = false;
  let hasData = false;
  for (let at = 8; at + chunkOverheadBytes <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + chunkOverheadBytes + length;
    if (end > bytes.length) return cutOff(type);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      return broken(type, `is damaged (the sum of its part ${JSON.stringify(name)} is wrong)`);
    }
    const data = bytes.subarray(at + 8, end - 4);
    if (size === null && (name !== "IHDR" || length !== 13)) return broken(type, "has no head");
    if (name === "IHDR") size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
    if (name === "eXIf") orientation = orientationIn(data);
    if (name === "acTL") isAnimated = true;
    if (name === "IDAT") hasData = true;
    if (name === "IEND") {
      if (size === null || !hasData) return broken(type, "holds no picture");
      return { at: "image", mediaType: type, ...size, orientation, isAnimated };
    }
    at = end;
  }
  return cutOff(type);
}
