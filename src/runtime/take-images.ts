import { text, type Image, type Text } from "#core";
import type { TakeImage } from "./ports.ts";

export const holdsImage = (content: readonly (Text | Image)[]): boolean =>
  content.some((block) => block.type === "image");

/** Content with every image taken in, or a note where one cannot be sent: it never stands in the journal as it came. */
export async function takeImages(
  content: readonly (Text | Image)[],
  take: TakeImage,
): Promise<readonly (Text | Image)[]> {
  const taken = await Promise.all(
    content.map(async (block) => (block.type === "image" ? takeOne(block, take) : [block])),
  );
  return taken.flat();
}

async function takeOne(image: Image, take: TakeImage): Promise<readonly (Text | Image)[]> {
  const taken = await take(image);
  if (taken.at === "left_out") return [text(`[an image is left out: ${taken.why}]`)];
  return taken.note === null ? [taken.image] : [taken.image, text(taken.note)];
}
