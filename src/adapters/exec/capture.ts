import type { Readable } from "node:stream";

import type { RunOutput } from "./run.ts";

/** Bytes of a stream: its beginning, its last part, and how many there were. */
export interface Excerpt {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly totalBytes: number;
}

export type Shown = Pick<RunOutput, "head" | "tail" | "omittedBytes" | "totalBytes">;

/** No character of UTF-8 is longer. */
const mostBytes = 4;

/** Bytes of head and of tail that `show` needs to find so many characters. */
export function excerptBytes(characters: number): { readonly head: number; readonly tail: number } {
  return { head: characters * mostBytes, tail: Math.ceil(characters / 2) * mostBytes };
}

/** What has come of a stream so far. */
export interface Capture {
  totalBytes(): number;
  excerpt(): Excerpt;
}

/** Keeps what `show` needs of a stream of any length, in memory that does not grow with it. */
export function capture(stream: Readable, characters: number): Capture {
  const most = excerptBytes(characters);
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let totalBytes = 0;
  stream.on("data", (chunk: Buffer) => {
    totalBytes += chunk.length;
    if (headBytes < most.head) {
      head.push(chunk.subarray(0, most.head - headBytes));
      headBytes += Math.min(chunk.length, most.head - headBytes);
    }
    tail.push(chunk);
    tailBytes += chunk.length;
    while (tail[0] && tailBytes - tail[0].length >= most.tail) {
      tailBytes -= tail.shift()?.length ?? 0;
    }
  });
  return {
    totalBytes: () => totalBytes,
    excerpt: () => {
      const last = Buffer.concat(tail);
      return {
        head: Buffer.concat(head),
        tail: last.subarray(Math.max(0, last.length - most.tail)),
        totalBytes,
      };
    },
  };
}

/** As text, whole if it has no more than so many characters, else its first and its last half of them. */
export function show(excerpt: Excerpt, characters: number): Shown {
  const { head, tail, totalBytes } = excerpt;
  const half = Math.floor(characters / 2);
  const first = take(head, characters);
  if (totalBytes === head.length && first === head.length) {
    return { head: decode(head), tail: "", omittedBytes: 0, totalBytes };
  }
  const headEnd = take(head, half);
  // The head and the tail may overlap in a stream that is a little too long.
  const room = Math.min(tail.length, totalBytes - headEnd);
  const last = lastCharacters(tail.subarray(tail.length - room), half);
  return {
    head: decode(head.subarray(0, headEnd)),
    tail: decode(last),
    omittedBytes: totalBytes - headEnd - last.length,
    totalBytes,
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Length in bytes of the first `count` characters, or of all. */
function take(bytes: Buffer, count: number): number {
  let at = 0;
  for (let taken = 0; taken < count && at < bytes.length; taken += 1) at += lengthAt(bytes, at);
  return at;
}

function lastCharacters(bytes: Buffer, count: number): Buffer {
  let start = 0;
  while (start < mostBytes - 1 && isContinuation(bytes[start])) start += 1;
  let characters = 0;
  for (let at = start; at < bytes.length; at += lengthAt(bytes, at)) characters += 1;
  const skipped = take(bytes.subarray(start), Math.max(0, characters - count));
  return bytes.subarray(start + skipped);
}

/** Bytes of the character at a place; 1 for a byte that begins none. */
function lengthAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  for (let next = 1; next < length; next += 1) {
    if (!isContinuation(bytes[at + next])) return Math.min(next, 1);
  }
  return length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
