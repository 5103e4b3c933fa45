import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectImage } from "#adapters/images";
import { gif, jpeg, png, pngOf, webp } from "./made.ts";

const plain = { at: "image", orientation: 1, isAnimated: false };
const cut = (mediaType: string): object => ({
  at: "broken",
  mediaType,
  problem: "is cut off before its end",
});
const without = (bytes: Buffer, tail: number): Buffer => bytes.subarray(0, bytes.length - tail);
const flipped = (bytes: Buffer, at: number): Buffer => {
  const damaged = Buffer.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  return damaged;
};

const cases: readonly (readonly [title: string, bytes: Buffer, found: object | null])[] = [
  ["a PNG", png(7, 3), { ...plain, mediaType: "image/png", width: 7, height: 3 }],
  ["a JPEG", jpeg(16, 8), { ...plain, mediaType: "image/jpeg", width: 16, height: 8 }],
  [
    "a JPEG on its side",
    jpeg(16, 8, 6),
    { ...plain, mediaType: "image/jpeg", width: 16, height: 8, orientation: 6 },
  ],
  ["a GIF", gif(1), { ...plain, mediaType: "image/gif", width: 1, height: 1 }],
  [
    "a GIF that moves",
    gif(2),
    { ...plain, mediaType: "image/gif", width: 1, height: 1, isAnimated: true },
  ],
  ["a WebP", webp(9, 4), { ...plain, mediaType: "image/webp", width: 9, height: 4 }],
  ["a PNG that ends early", without(png(7, 3), 1), cut("image/png")],
  ["a PNG of its signature alone", png(7, 3).subarray(0, 8), cut("image/png")],
  [
    "a PNG with a bit flipped in its data",
    flipped(png(7, 3), 45),
    {
      at: "broken",
      mediaType: "image/png",
      problem: 'is damaged (the sum of its part "IDAT" is wrong)',
    },
  ],
  [
    "a PNG without pixels",
    pngOf(0, 5, Buffer.alloc(0)),
    { at: "broken", mediaType: "image/png", problem: "says it has no pixels" },
  ],
  ["a JPEG that ends early", without(jpeg(16, 8), 2), cut("image/jpeg")],
  ["a JPEG of three bytes", jpeg(16, 8).subarray(0, 3), cut("image/jpeg")],
  [
    "a JPEG whose segments lie about their length",
    Buffer.concat([jpeg(16, 8).subarray(0, 4), Buffer.from([0, 0]), Buffer.alloc(20, 1)]),
    {
      at: "broken",
      mediaType: "image/jpeg",
      problem: "is damaged (a segment begins with no mark)",
    },
  ],
  ["a GIF that ends inside its only frame", gif(1).subarray(0, 22), cut("image/gif")],
  ["a WebP that ends early", without(webp(9, 4), 1), cut("image/webp")],
  ["text", Buffer.from("PNG, said the file"), null],
  ["nothing", Buffer.alloc(0), null],
];

for (const [title, bytes, found] of cases) {
  test(`the head of ${title} is read without decoding it`, () => {
    assert.deepEqual(inspectImage(bytes), found);
  });
}

test("no prefix of an image is taken for more than it is, and none throws", () => {
  for (const whole of [png(7, 3), jpeg(16, 8, 6), gif(2), webp(9, 4)]) {
    for (let length = 0; length < whole.length; length += 1) {
      const found = inspectImage(whole.subarray(0, length));
      if (found?.at === "image") assert.equal(found.mediaType, "image/gif", `${length} bytes`);
    }
  }
});
