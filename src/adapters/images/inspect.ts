import { broken, type Broken, type Found, type MediaType } from "./found.ts";
import { inspectGif } from "./gif.ts";
import { inspectJpeg } from "./jpeg.ts";
import { inspectPng } from "./png.ts";
import { inspectWebp } from "./webp.ts";

type Inspect = (bytes: Buffer) => Found | Broken;

/** `?` stands for any byte. */
const kinds: readonly (readonly [magic: string, mediaType: MediaType, inspect: Inspect])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png", inspectPng],
  ["\xff\xd8\xff", "image/jpeg", inspectJpeg],
  ["GIF8?a", "image/gif", inspectGif],
  ["RIFF????WEBP", "image/webp", inspectWebp],
];

/**
 * What an image is, by its first bytes, its head and the mark of its end. Nothing is decoded, and no more memory is
 * needed than the bytes take. Null: it begins like no image that models take.
 */
export function inspectImage(bytes: Buffer): Found | Broken | null {
  const head = bytes.toString("latin1", 0, 16);
  const kind = kinds.find(([magic]) => beginsWith(head, magic));
  if (kind === undefined) return null;
  const [, mediaType, inspect] = kind;
  const found = inspect(bytes);
  const isEmpty = found.at === "image" && (found.width === 0 || found.height === 0);
  return isEmpty ? broken(mediaType, "says it has no pixels") : found;
}

const beginsWith = (head: string, magic: string): boolean =>
  magic.split("").every((wanted, index) => wanted === "?" || head[index] === wanted);
