/** One stream of the process, written in order, with its reader's disappearance as a signal, not an error. */
export interface Output {
  readonly isTerminal: boolean;
  /** Resolves when the text has left this process, or its reader has gone. Never rejects. */
  write(text: string): Promise<void>;
  /** Resolves when everything written so far has left. */
  drained(): Promise<void>;
  /** Aborts when the reader has gone. */
  readonly gone: AbortSignal;
}

export function openOutput(stream: NodeJS.WriteStream): Output {
  const gone = new AbortController();
  let last = Promise.resolve();
  // Without a listener a closed pipe (EPIPE) would end the process with a stack trace.
  stream.on("error", () => gone.abort());
  const put = (text: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (gone.signal.aborted) return Promise.resolve();
    stream.write(text, () => resolve());
    return promise;
  };
  return {
    isTerminal: stream.isTTY,
    gone: gone.signal,
    write(text) {
      last = last.then(() => put(text));
      return last;
    },
    drained: () => last,
  };
}
