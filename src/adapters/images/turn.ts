import type { Pixels } from "./pixels.ts";

/** Where the pixel at (x, y) of the upright picture stands in the stored one (EXIF 2.3, 4.6.4, tag 274). */
type Source = (x: number, y: number, stored: Pixels) => readonly [x: number, y: number];

const sources: Readonly<Record<number, Source>> = {
  2: (x, y, { width }) => [width - 1 - x, y],
  3: (x, y, { width, height }) => [width - 1 - x, height - 1 - y],
  4: (x, y, { height }) => [x, height - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, { height }) => [y, height - 1 - x],
  7: (x, y, { width, height }) => [width - 1 - y, height - 1 - x],
  8: (x, y, { width }) => [width - 1 - y, x],
};

/** From this orientation on the picture lies on its side. */
const firstSideways = 5;

/** Width and height as a person sees them. */
export function upright(size: {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
}): { readonly width: number; readonly height: number } {
  const { width, height, orientation } = size;
  return orientation >= firstSideways ? { width: height, height: width } : { width, height };
}

/** The picture as it is to be seen: servers do not look at the orientation that EXIF tells. */
export function turned(stored: Pixels, orientation: number): Pixels {
  const source = sources[orientation];
  if (source === undefined) return stored;
  const { width, height } = upright({ ...stored, orientation });
  const from = new Uint32Array(stored.rgba.buffer, stored.rgba.byteOffset, width * height);
  const rgba = new Uint8Array(width * height * 4);
  const to = new Uint32Array(rgba.buffer);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [sourceX, sourceY] = source(x, y, stored);
      to[y * width + x] = from[sourceY * stored.width + sourceX] ?? 0;
    }
  }
  return { width, height, rgba };
}
