import type { Json } from "#core";
import type { ModelChunk } from "#runtime";
import type { Bytes } from "./byte-queue.ts";
import type { Peer } from "./error-answer.ts";
import { parseJson } from "./json-read.ts";
import { cutOff, failed } from "./network-failure.ts";
import { wholeText } from "./whole-text.ts";

/** How the two forms of a reply are read. */
export interface AnswerReader {
  readonly peer: Peer;
  stream(bytes: Bytes): AsyncIterable<ModelChunk>;
  /** A reply that came as one JSON document; `text` is what it came as. */
  whole(value: Json, text: string): Iterable<ModelChunk>;
}

/**
 * Reads a reply in the form it came in. Servers that cannot stream answer with one JSON document, whatever they call
 * it; streams called JSON are seen too. No event stream begins with a bracket.
 */
export async function* readAnswer(bytes: Bytes, reader: AnswerReader): AsyncGenerator<ModelChunk> {
  const { rest, isJson } = await peek(bytes);
  if (!isJson) return yield* reader.stream(rest);
  const text = await wholeText(rest, largestDocumentBytes);
  if (text === null) return yield failed(cutOff(reader.peer, "it is larger than any reply may be"));
  if (bytes.failure !== null) return yield failed(bytes.failure);
  const { value, problem } = parseJson(text);
  if (problem !== null) return yield failed(cutOff(reader.peer, `its JSON is ${problem}`));
  yield* reader.whole(value, text);
}

const space = new Set([0x09, 0x0a, 0x0d, 0x20]);
const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);
const brackets = new Set([0x5b, 0x7b]);

/** Looks at the first byte that says anything, and takes none away. */
async function peek(bytes: Bytes): Promise<{ readonly rest: Bytes; readonly isJson: boolean }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let first: number | undefined;
  while (first === undefined) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    seen.push(value);
    first = value.find((byte) => !space.has(byte) && !byteOrderMark.has(byte));
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* seen;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  const rest = {
    [Symbol.asyncIterator]: read,
    expectEnd: () => bytes.expectEnd(),
    get failure() {
      return bytes.failure;
    },
  };
  return { rest, isJson: first !== undefined && brackets.has(first) };
}

const largestDocumentBytes = 64 * 1024 * 1024;
