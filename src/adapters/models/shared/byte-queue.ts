import type { Failure } from "#core";

/** Bytes of an answer, in order, and why they ended. One reader. */
export interface Bytes extends AsyncIterable<Uint8Array> {
  /** Why they ended too early; null while they come and after a whole answer. */
  readonly failure: Failure | null;
  /** The reader has all that counts: it waits a few more seconds for an orderly end, each time from when it says so. */
  expectEnd(): void;
}

export interface ByteQueue extends Bytes {
  push(bytes: Uint8Array): void;
  /** No more will come. The first end counts; what waits is still read. */
  end(failure: Failure | null): void;
  /** Ends and drops what waits, so that the reader stops at once. */
  cut(failure: Failure): void;
  /** More waits than a reader should leave lying: the writer should pause until `onRoom`. */
  readonly isFull: boolean;
}

const fullBytes = 1 << 20;

export function byteQueue(events: {
  /** The reader has taken everything after the queue was full. */
  onRoom(): void;
  /** The reader takes no more; also after a normal end. */
  onLeft(): void;
  /** The reader waits for nothing but the end. */
  onEndExpected(): void;
}): ByteQueue {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let ended = false;
  let isCut = false;
  let failure: Failure | null = null;
  let wake = (): void => {};

  function finish(reason: Failure | null): void {
    if (ended) return;
    ended = true;
    failure = reason;
    wake();
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const batch = waiting;
        const wasFull = waitingBytes >= fullBytes;
        waiting = [];
        waitingBytes = 0;
        if (wasFull) events.onRoom();
        for (const bytes of batch) {
          if (isCut) return;
          yield bytes;
        }
        if (waiting.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      events.onLeft();
    }
  }

  return {
    push(bytes) {
      if (ended || bytes.length === 0) return;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      wake();
    },
    end: finish,
    cut(reason) {
      isCut = true;
      waiting = [];
      finish(reason);
    },
    expectEnd: () => events.onEndExpected(),
    get failure() {
      return failure;
    },
    get isFull() {
      return waitingBytes >= fullBytes;
    },
    [Symbol.asyncIterator]: read,
  };
}
