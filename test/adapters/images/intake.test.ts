import assert from "node:assert/strict";
import { test } from "node:test";
import { imageIntake } from "#adapters/images";
import { commonImageLimits } from "#adapters/models";
import type { TakenImage } from "#runtime";
import { blue, gif, jpeg, png, pngOf, red, seen, webp } from "./made.ts";

const takeImage = imageIntake(commonImageLimits);

const take = (bytes: Buffer, mediaType = "image/png"): Promise<TakenImage> =>
  takeImage({ type: "image", mediaType, data: bytes.toString("base64") });

interface Shown {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly note: string | null;
}

async function shown(bytes: Buffer): Promise<Shown> {
  const taken = await take(bytes);
  assert.equal(taken.at, "taken");
  assert.ok(taken.at === "taken" && typeof taken.image.data === "string");
  const { mediaType, data } = taken.image;
  return { mediaType, bytes: Buffer.from(data, "base64"), note: taken.note };
}

const near = (found: readonly number[], wanted: readonly number[]): void => {
  for (const [index, value] of wanted.entries()) {
    assert.ok(
      Math.abs((found[index] ?? 0) - value) < 20,
      `${found.join()} is not ${wanted.join()}`,
    );
  }
};

test("[W08] a picture of 2,162 pixels is scaled to what requests of many images take", async () => {
  const { mediaType, bytes, note } = await shown(png(2162, 40));
  const picture = seen(bytes);
  assert.equal(mediaType, "image/png");
  assert.deepEqual([picture.width, picture.height], [2000, 37]);
  near(picture.at(20, 50), red);
  near(picture.at(80, 50), blue);
  assert.equal(note, "[shown at 2000 × 37 pixels, of 2162 × 40: multiply coordinates by 1.08]");
});

test("an image that fits stays the same, byte for byte, and is not decoded", async () => {
  for (const bytes of [png(300, 200), jpeg(64, 32)]) {
    assert.deepEqual(await shown(bytes), {
      mediaType: bytes[0] === 0x89 ? "image/png" : "image/jpeg",
      bytes,
      note: null,
    });
  }
});

test("the kind of an image is what its bytes say, not what it is called", async () => {
  const taken = await take(jpeg(8, 8), "image/png");
  assert.equal(taken.at === "taken" && taken.image.mediaType, "image/jpeg");
});

test("what was taken in once is taken in again unchanged", async () => {
  const once = await shown(jpeg(2400, 60));
  assert.deepEqual(await shown(once.bytes), { ...once, note: null });
});

// Where the red half is to be seen, in hundredths.
const orientations: readonly (readonly [
  number,
  readonly [number, number],
  "lying" | "standing",
])[] = [
  [2, [80, 50], "lying"],
  [3, [80, 50], "lying"],
  [4, [20, 50], "lying"],
  [5, [50, 20], "standing"],
  [6, [50, 20], "standing"],
  [7, [50, 80], "standing"],
  [8, [50, 80], "standing"],
];
test("a picture is sent upright, whatever orientation EXIF tells", async () => {
  for (const [orientation, [x, y], way] of orientations) {
    const { mediaType, bytes, note } = await shown(jpeg(64, 32, orientation));
    const picture = seen(bytes);
    assert.equal(mediaType, "image/jpeg");
    assert.equal(note, null);
    assert.deepEqual([picture.width, picture.height], way === "lying" ? [64, 32] : [32, 64]);
    near(picture.at(x, y), red);
    near(picture.at(100 - x, 100 - y), blue);
  }
});

test("kinds that not every server takes become one that every server takes", async () => {
  const still = await shown(gif(1));
  assert.deepEqual([still.mediaType, still.note], ["image/png", null]);
  const moving = await shown(gif(2));
  assert.deepEqual(
    [moving.mediaType, moving.note],
    ["image/png", "[first picture of an animation]"],
  );
  const other = await shown(webp(40, 20));
  assert.equal(other.mediaType, "image/png");
  near(seen(other.bytes).at(20, 50), red);
});

test("a picture of 60,000 × 60,000 pixels is refused by its head, before anything is decoded", async () => {
  const before = process.memoryUsage().rss;
  const taken = await take(pngOf(60_000, 60_000, Buffer.alloc(100)));
  assert.deepEqual(taken, {
    at: "left_out",
    why: "it is too large to be sent and to be made smaller here (image/png, 60000 × 60000 pixels, 157 bytes)",
  });
  assert.ok(process.memoryUsage().rss - before < 100_000_000);
});

test("an image that is cut off or is none is left out and said why", async () => {
  assert.deepEqual(await take(png(50, 50).subarray(0, 80)), {
    at: "left_out",
    why: "it is cut off before its end (image/png)",
  });
  assert.deepEqual(await take(Buffer.from("<svg/>")), {
    at: "left_out",
    why: "it is no PNG, JPEG, GIF or WebP",
  });
});

test("what only the server can decode goes as it is when it is small, and is left out when it is not", async () => {
  const garbage = (width: number): Buffer => pngOf(width, 3, Buffer.from("no rows at all"));
  const limits = { ...commonImageLimits, mediaTypes: ["image/jpeg"] };
  const data = garbage(7).toString("base64");
  assert.deepEqual(await imageIntake(limits)({ type: "image", mediaType: "image/png", data }), {
    at: "taken",
    image: { type: "image", mediaType: "image/png", data },
    note: null,
  });
  assert.equal((await take(garbage(7000))).at, "left_out");
});

test("a picture of too many bytes becomes a JPEG of fewer, and smaller when that is not enough", async () => {
  const data = png(400, 300).toString("base64");
  const small = imageIntake({ ...commonImageLimits, base64Characters: 1600 });
  const taken = await small({ type: "image", mediaType: "image/png", data });
  assert.ok(taken.at === "taken" && typeof taken.image.data === "string");
  assert.ok(taken.image.data.length <= 1600, `${taken.image.data.length}`);
});
