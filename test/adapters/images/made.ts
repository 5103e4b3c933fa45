import { PhotonImage } from "@silvia-odwyer/photon-node";
import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

export const red: Colour = [255, 0, 0];
export const blue: Colour = [0, 0, 255];

/** A PNG whose left half is red and whose right half is blue. */
export function png(width: number, height: number): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set(x < width / 2 ? red : blue, 1 + x * 3);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return pngOf(width, height, deflateSync(rows));
}

/** @param data the compressed rows, whatever they hold */
export function pngOf(width: number, height: number, data: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const bytes = Buffer.alloc(named.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(named, 4);
  bytes.writeUInt32BE(crc32(named), bytes.length - 4);
  return bytes;
}

/** The same as a JPEG, with an EXIF orientation when one is given. */
export function jpeg(width: number, height: number, orientation: number = 1): Buffer {
  const picture = PhotonImage.new_from_byteslice(png(width, height));
  const bytes = Buffer.from(picture.get_bytes_jpeg(90));
  if (orientation === 1) return bytes;
  const exif = Buffer.from(
    `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`,
    "latin1",
  );
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([bytes.subarray(0, 2), head, exif, bytes.subarray(2)]);
}

export function webp(width: number, height: number): Buffer {
  return Buffer.from(PhotonImage.new_from_byteslice(png(width, height)).get_bytes_webp());
}

/** A black point; with a second frame it moves. */
export function gif(frames: 1 | 2): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}

/** A decoded picture: its size, and the colour at a place given in hundredths of it. */
export function seen(bytes: Uint8Array): {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): Colour;
} {
  const picture = PhotonImage.new_from_byteslice(bytes);
  const width = picture.get_width();
  const height = picture.get_height();
  const rgba = picture.get_raw_pixels();
  return {
    width,
    height,
    at(x, y) {
      const place = Math.floor((y / 100) * height) * width + Math.floor((x / 100) * width);
      const [r = 0, g = 0, b = 0] = rgba.subarray(place * 4);
      return [r, g, b];
    },
  };
}
