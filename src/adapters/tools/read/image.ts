import { text, type ToolEnd } from "#core";
import { readAll, type OpenFile } from "../../workspace/index.ts";
import { failed, sizeOf } from "../shared/ends.ts";
import type { Head } from "./head.ts";

/** Bytes. What is shown is made smaller on its way (`adapters/images`); this is what is worth reading for it. */
const mostImageBytes = 50_000_000;

const kinds: readonly (readonly [mediaType: string, magic: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
];

/** The file as an image for the model; null when it does not begin like one. */
export async function readImageBlock(
  file: OpenFile,
  { bytes: head }: Head,
  shown: string,
): Promise<ToolEnd | null> {
  const kind = kinds.find(([, magic]) => magic.test(head.toString("latin1", 0, 16)));
  if (kind === undefined) return null;
  const bytes = await readAll(file, mostImageBytes);
  if (bytes === null) {
    return failed({
      message: `${shown} is an image of ${sizeOf(file.stats.size)}; images over ${sizeOf(mostImageBytes)} cannot be shown. Make a smaller copy first.`,
    });
  }
  const [mediaType] = kind;
  return {
    outcome: "ok",
    content: [
      text(`${shown}: ${mediaType}, ${sizeOf(bytes.length)}`),
      { type: "image", mediaType, data: bytes.toString("base64") },
    ],
    effects: [],
  };
}
