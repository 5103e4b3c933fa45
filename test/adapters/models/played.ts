import fc from "fast-check";
import type { JsonObject } from "#core";
import type { ModelChunk, Reply } from "#runtime";
import type { Bytes } from "../../../src/adapters/models/shared/byte-queue.ts";
import type { Peer } from "../../../src/adapters/models/shared/error-answer.ts";

export const peer: Peer = { name: "the server", secrets: ["sk-secret"], now: () => 0 };

/** A stream's frames as bytes of the wire; a frame may be any text. */
export const stream = (frames: readonly (JsonObject | string)[]): string =>
  frames
    .map((frame) => `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`)
    .join("");

/** The body of an answer that came whole, in pieces of so many bytes. */
export function bytesOf(body: string | Uint8Array, pieceBytes: number = 1 << 20): Bytes {
  const bytes = Buffer.from(body);
  return {
    failure: null,
    expectEnd() {},
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        yield bytes.subarray(at, at + pieceBytes);
      }
    },
  };
}

export async function all(chunks: AsyncIterable<ModelChunk>): Promise<readonly ModelChunk[]> {
  const found: ModelChunk[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

/** The reply a stream ends in. */
export function replyIn(chunks: readonly ModelChunk[]): Reply {
  const last = chunks.at(-1);
  if (last?.type === "end") return last.reply;
  throw new Error(`no reply: ${JSON.stringify(last)}`);
}

/** The failure a stream ends in. */
export function failureIn(chunks: readonly ModelChunk[]): Extract<ModelChunk, { type: "failure" }> {
  const last = chunks.at(-1);
  if (last?.type === "failure") return last;
  throw new Error(`no failure: ${JSON.stringify(last)}`);
}

/** CPU milliseconds of something. */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Noise, and whole streams with a few bytes lost, doubled or put in. */
export function damaged(whole: string): fc.Arbitrary<Uint8Array> {
  const bytes = Buffer.from(whole);
  const mutation = fc.record({
    at: fc.nat(bytes.length),
    remove: fc.nat(40),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc
        .constantFrom("\n", "\r", "data: ", "data: null\n\n", '"', "{", "}", "event: error\n", "\0")
        .map((piece) => new Uint8Array(Buffer.from(piece))),
      fc.nat(bytes.length).map((from) => bytes.subarray(from, from + 60)),
    ),
  });
  return fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .array(mutation, { minLength: 1, maxLength: 4 })
      .map((mutations) =>
        mutations.reduce<Uint8Array>(
          (stream, { at, remove, insert }) =>
            Buffer.concat([stream.subarray(0, at), insert, stream.subarray(at + remove)]),
          bytes,
        ),
      ),
  );
}
