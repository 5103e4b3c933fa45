import type { Entry, State } from "#core";
import type { FeedItem, Signal } from "./api.ts";

/** Facts a slow reader may be behind before it starts again from a snapshot. */
const maxFacts = 1000;
/** Signals a slow reader may be behind before they are dropped. */
const maxSignals = 256;

/** One feed, many readers, each with its own bounded queue: a slow one holds up nobody. */
export class Feed {
  readonly #readers = new Set<Reader>();
  readonly #latest: () => State;
  #closed = false;

  constructor(latest: () => State) {
    this.#latest = latest;
  }

  fact(entry: Entry, state: State): void {
    for (const reader of this.#readers) reader.fact(entry, state);
  }

  signal(signal: Signal): void {
    for (const reader of this.#readers) reader.signal(signal);
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.close();
  }

  /** A new reader; it sees a snapshot first, from this very moment on. */
  read(): AsyncIterable<FeedItem> {
    const reader = new Reader(this.#latest);
    this.#readers.add(reader);
    if (this.#closed) reader.close();
    return reader.items(() => this.#readers.delete(reader));
  }
}

class Reader {
  #queue: FeedItem[];
  #facts = 0;
  #signals = 0;
  #wake: (() => void) | null = null;
  #closed = false;

  constructor(latest: () => State) {
    this.#queue = [{ type: "snapshot", state: latest() }];
  }

  fact(entry: Entry, state: State): void {
    this.#facts += 1;
    if (this.#facts > maxFacts) {
      this.#queue = [{ type: "snapshot", state }];
      this.#facts = 0;
      this.#signals = 0;
    } else {
      this.#queue.push({ type: "fact", entry, state });
    }
    this.#ring();
  }

  signal(signal: Signal): void {
    const last = this.#queue.at(-1);
    const merged = last?.type === "signal" ? coalesce(last.signal, signal) : null;
    if (merged !== null) this.#queue[this.#queue.length - 1] = { type: "signal", signal: merged };
    else if (this.#signals < maxSignals) {
      this.#signals += 1;
      this.#queue.push({ type: "signal", signal });
    } else if (last?.type !== "gap") this.#queue.push({ type: "gap" });
    this.#ring();
  }

  close(): void {
    this.#closed = true;
    this.#ring();
  }

  #ring(): void {
    this.#wake?.();
    this.#wake = null;
  }

  async *items(done: () => void): AsyncGenerator<FeedItem> {
    try {
      for (;;) {
        const batch = this.#queue;
        this.#queue = [];
        this.#facts = 0;
        this.#signals = 0;
        yield* batch;
        if (this.#queue.length > 0) continue;
        if (this.#closed) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      done();
    }
  }
}

/** Longest text that deltas are joined into while nobody reads them (characters). */
const maxJoined = 64 * 1024;

function coalesce(earlier: Signal, later: Signal): Signal | null {
  if (earlier.type === "text" && later.type === "text") return join(earlier, later);
  if (earlier.type === "thinking" && later.type === "thinking") return join(earlier, later);
  return null;
}

function join<T extends { readonly delta: string }>(earlier: T, later: T): T | null {
  return earlier.delta.length + later.delta.length > maxJoined
    ? null
    : { ...earlier, delta: earlier.delta + later.delta };
}
