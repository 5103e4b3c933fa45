import { setImmediate as endOfTurn } from "node:timers/promises";

/** One stream of the process, written in order, with its reader's disappearance as a signal, not an error. */
export interface Output {
  readonly isTerminal: boolean;
  /** Resolves when there is room for more: at once, while little waits. Never rejects. */
  write(text: string): Promise<void>;
  /** Resolves when everything written so far has left this process, or its reader has gone. */
  drained(): Promise<void>;
  /** Aborts when nothing more can be written; the reason is the system's code, `EPIPE` when the reader has gone. */
  readonly gone: AbortSignal;
}

export function openOutput(stream: NodeJS.WriteStream, queue: OutputQueue = outputQueue()): Output {
  const gone = new AbortController();
  // Without a listener a closed pipe (EPIPE) would end the process with a stack trace.
  stream.on("error", (error: NodeJS.ErrnoException) => gone.abort(error.code ?? "unknown"));
  const put = (text: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (gone.signal.aborted) return Promise.resolve();
    stream.write(text, () => resolve());
    return promise;
  };
  return {
    isTerminal: stream.isTTY,
    gone: gone.signal,
    write: (text) => queue.add(put, text),
    drained: () => queue.drained(),
  };
}

/** Texts on their way out. Streams that share one leave in the order they were written in. */
export interface OutputQueue {
  /** Resolves when there is room for more. */
  add(put: Put, text: string): Promise<void>;
  drained(): Promise<void>;
}

type Put = (text: string) => Promise<void>;

/** Characters; with more than this on its way the writer waits. */
const mostWaiting = 64 * 1024;

/**
 * What is written in one turn of the event loop leaves in one write: each is a system call that wakes the reader, and
 * a reply with five calls says ten lines.
 */
export function outputQueue(): OutputQueue {
  let waiting: { readonly put: Put; text: string }[] = [];
  let characters = 0;
  let leaving: Promise<void> | null = null;

  async function leave(): Promise<void> {
    await endOfTurn();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      characters = 0;
      for (const { put, text } of batch) await put(text);
    }
    leaving = null;
  }

  return {
    async add(put, text) {
      const last = waiting.at(-1);
      if (last?.put === put) last.text += text;
      else waiting.push({ put, text });
      characters += text.length;
      leaving ??= leave();
      if (characters > mostWaiting) await leaving;
    },
    async drained() {
      await leaving;
    },
  };
}
