/** A decoded picture: red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/**
 * A smaller picture: each pixel is the mean of the area it stands for, weighted by opacity, so that what is
 * transparent lends no colour. Linear in the pixels of the larger one.
 */
export function shrink(from: Pixels, width: number, height: number): Pixels {
  if (width === from.width && height === from.height) return from;
  const rgba = new Uint8Array(width * height * 4);
  const columns = spans(from.width, width);
  const rows = spans(from.height, height);
  const sums = new Float64Array(width * 4);
  const area = (from.width / width) * (from.height / height);
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    const row = rows[y];
    if (row === undefined) continue;
    for (let at = row.from; at < row.to; at += 1) {
      addRow(sums, { from, y: at, weight: covered(row, at), columns });
    }
    writeRow(rgba.subarray(y * width * 4, (y + 1) * width * 4), sums, area);
  }
  return { width, height, rgba };
}

/** What of the larger edge one pixel of the smaller one covers; the first and the last of it only in part. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

function spans(large: number, small: number): readonly Span[] {
  const step = large / small;
  return Array.from({ length: small }, (_, index) => {
    const start = index * step;
    const end = Math.min(large, start + step);
    return { from: Math.floor(start), to: Math.min(large, Math.ceil(end - 1e-9)), start, end };
  });
}

const covered = ({ start, end }: Span, at: number): number =>
  Math.min(end, at + 1) - Math.max(start, at);

function addRow(
  sums: Float64Array,
  row: {
    readonly from: Pixels;
    readonly y: number;
    readonly weight: number;
    readonly columns: readonly Span[];
  },
): void {
  const { rgba, width } = row.from;
  let out = 0;
  for (const span of row.columns) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let opacity = 0;
    for (let x = span.from; x < span.to; x += 1) {
      const at = (row.y * width + x) * 4;
      const weight = covered(span, x) * (rgba[at + 3] ?? 0);
      red += weight * (rgba[at] ?? 0);
      green += weight * (rgba[at + 1] ?? 0);
      blue += weight * (rgba[at + 2] ?? 0);
      opacity += weight;
    }
    sums[out] = (sums[out] ?? 0) + row.weight * red;
    sums[out + 1] = (sums[out + 1] ?? 0) + row.weight * green;
    sums[out + 2] = (sums[out + 2] ?? 0) + row.weight * blue;
    sums[out + 3] = (sums[out + 3] ?? 0) + row.weight * opacity;
    out += 4;
  }
}

function writeRow(rgba: Uint8Array, sums: Float64Array, area: number): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const opacity = sums[at + 3] ?? 0;
    const share = opacity > 0 ? 1 / opacity : 0;
    for (let colour = 0; colour < 3; colour += 1) {
      rgba[at + colour] = Math.round((sums[at + colour] ?? 0) * share);
    }
    rgba[at + 3] = Math.round(opacity / area);
  }
}
