import type { Readable } from "node:stream";

const everyMs = 50;
const mostBytes = 16 * 1024;

/**
 * Hands on the output of a stream as text while it comes: at most every 50 ms and 16 KiB at a time. When more
 * comes, the older part of it is skipped: progress is for watching. `onText` must not throw. The function it
 * returns hands on what is waiting and stops.
 */
export function showProgress(stream: Readable, onText: (text: string) => void): () => void {
  let decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let waiting: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const hand = (): void => {
    timer = undefined;
    const text = decoder.decode(waiting, { stream: true });
    waiting = Buffer.alloc(0);
    if (text !== "") onText(text);
  };
  const take = (chunk: Buffer): void => {
    waiting = Buffer.concat([waiting, chunk]);
    if (waiting.length > mostBytes) {
      waiting = fromCharacter(waiting.subarray(waiting.length - mostBytes));
      decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    }
    timer ??= setTimeout(hand, everyMs);
  };
  stream.on("data", take);
  return () => {
    stream.off("data", take);
    clearTimeout(timer);
    hand();
  };
}

/** Without the rest of a character that was cut. */
function fromCharacter(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return bytes.subarray(start === -1 ? 0 : start);
}
