import type { Bytes } from "./byte-queue.ts";

/** All of a body as text; null when it has more bytes than `most`. */
export async function wholeText(bytes: Bytes, most: number): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length > most) return null;
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
