import type { TakenImage, TakeImage } from "#runtime";
import type { Made } from "./codec.ts";
import type { Found } from "./found.ts";
import { inspectImage } from "./inspect.ts";
import { upright } from "./turn.ts";

/** What an image may be when it is sent. */
export interface IntakeLimits {
  readonly mediaTypes: readonly string[];
  /** Characters of base64. */
  readonly base64Characters: number;
  /** Pixels of the longer edge. */
  readonly edgePx: number;
}

/**
 * Pixels of the largest picture that is decoded: a head may promise any number. Decoding takes 16 bytes for each, so
 * this is 640 MB for two or three seconds.
 */
const mostPixels = 40_000_000;

/**
 * Makes images fit for every model before they are recorded: kind, size, orientation and bytes. What fits already
 * stays as it is. What cannot be made to fit is left out with a reason; nothing here throws.
 */
export function imageIntake(limits: IntakeLimits): TakeImage {
  const mostBytes = Math.floor(limits.base64Characters / 4) * 3;
  return async (image) => {
    if (typeof image.data !== "string") return { at: "taken", image, note: null };
    const bytes = Buffer.from(image.data, "base64");
    const found = inspectImage(bytes);
    if (found === null) return leftOut("it is no PNG, JPEG, GIF or WebP");
    if (found.at === "broken") return leftOut(`it ${found.problem} (${found.mediaType})`);
    const isSmall =
      bytes.length <= mostBytes && Math.max(found.width, found.height) <= limits.edgePx;
    if (isSmall && isPlain(found, limits)) return asItIs(bytes, found);
    const made = await remade(bytes, found, { ...limits, mostBytes });
    if (made !== null) return taken(made, found);
    // Servers may know more than the decoder here does, as long as size is not what is wrong.
    return isSmall ? asItIs(bytes, found) : leftOut(tooLarge(found, bytes.length));
  };
}

const leftOut = (why: string): TakenImage => ({ at: "left_out", why });

/** Nothing about it but its size could matter to a server. */
const isPlain = ({ mediaType, orientation, isAnimated }: Found, limits: IntakeLimits): boolean =>
  limits.mediaTypes.includes(mediaType) && orientation === 1 && !isAnimated;

/** The kind is what its bytes say: servers refuse an image that is not what it is called. */
const asItIs = (bytes: Buffer, { mediaType }: Found): TakenImage => ({
  at: "taken",
  image: { type: "image", mediaType, data: bytes.toString("base64") },
  note: null,
});

async function remade(
  bytes: Buffer,
  found: Found,
  limits: IntakeLimits & { readonly mostBytes: number },
): Promise<Made | null> {
  if (found.width * found.height > mostPixels) return null;
  const { makeInThread } = await import("./in-thread.ts");
  return makeInThread({
    bytes,
    orientation: found.orientation,
    edgePx: limits.edgePx,
    mostBytes: limits.mostBytes,
    prefer: found.mediaType === "image/jpeg" ? "small" : "sharp",
  });
}

function taken(made: Made, found: Found): TakenImage {
  const { width, height } = upright(found);
  const notes = [
    ...(found.isAnimated ? ["first picture of an animation"] : []),
    ...(made.width === width && made.height === height
      ? []
      : [
          `shown at ${made.width} × ${made.height} pixels, of ${width} × ${height}: multiply coordinates by ${(width / made.width).toFixed(2)}`,
        ]),
  ];
  return {
    at: "taken",
    image: {
      type: "image",
      mediaType: made.mediaType,
      data: Buffer.from(made.bytes).toString("base64"),
    },
    note: notes.length === 0 ? null : `[${notes.join("; ")}]`,
  };
}

const tooLarge = ({ mediaType, width, height }: Found, bytes: number): string =>
  `it is too large to be sent and to be made smaller here (${mediaType}, ${width} × ${height} pixels, ${bytes} bytes)`;
