import {
  isIllegal,
  isPawlError,
  PawlError,
  transition,
  type Entry,
  type Fact,
  type Illegal,
  type Stamped,
  type State,
} from "#core";
import type { Clock, Journal } from "./ports.ts";

interface Waiter {
  readonly seq: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Facts nobody waits for are kept back so long, in ms, to share a sync with those that follow: a reply with the start
 * of its call, the ends of calls that run side by side.
 */
const companyMs = 2;

export interface LedgerParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly state: State;
  /** Called in order for every fact that has reached the disk. Must not throw. */
  readonly onSynced: (entry: Entry, state: State) => void;
  /** Called once when the journal can no longer be written. */
  readonly onFailure: (error: PawlError) => void;
}

/**
 * The order of every fact: check → journal (synced) → apply → publish. `head` runs ahead of the disk, so that the
 * loop can work out what follows while a sync is under way; nothing outside sees it, and no effect starts, before
 * `synced` has resolved. Facts proposed together share one sync.
 */
export class Ledger {
  readonly #parts: LedgerParts;
  #head: State;
  #synced: State;
  #queue: { readonly stamped: Stamped; readonly state: State }[] = [];
  #waiters: Waiter[] = [];
  #flushing = false;
  /** Somebody waits for what is in the queue, or it has waited long enough. */
  #hurried = false;
  /** Runs while facts that nobody waits for wait for company. */
  #company: NodeJS.Timeout | null = null;
  #failure: PawlError | null = null;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    this.#head = parts.state;
    this.#synced = parts.state;
  }

  /** What will hold when everything proposed is on disk. */
  get head(): State {
    return this.#head;
  }

  /** What is on disk. */
  get state(): State {
    return this.#synced;
  }

  /** Takes a fact in, or says why it cannot have happened. */
  propose(fact: Fact): Illegal | null {
    if (this.#failure !== null) return { illegal: this.#failure.message };
    const stamped: Stamped = { at: this.#parts.clock.now(), fact };
    const next = transition(this.#head, stamped);
    if (isIllegal(next)) return next;
    this.#head = next;
    this.#queue.push({ stamped, state: next });
    this.#company ??= setTimeout(() => this.#hurry(), companyMs);
    return null;
  }

  /** What is proposed until the end of this turn of the event loop shares the sync. */
  #hurry(): void {
    this.#hurried = true;
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => void this.#flush());
  }

  /**
   * Sees to it that everything proposed so far comes to the disk; resolves when it is there.
   * @throws PawlError `journal_failed`
   */
  synced(): Promise<void> {
    if (this.#synced.seq < this.#head.seq) this.#hurry();
    return this.recorded();
  }

  /**
   * Resolves when everything proposed so far is on disk, without hurrying it there.
   * @throws PawlError `journal_failed`
   */
  recorded(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#synced.seq >= this.#head.seq) return Promise.resolve();
    const { seq } = this.#head;
    return new Promise((resolve, reject) => this.#waiters.push({ seq, resolve, reject }));
  }

  async #flush(): Promise<void> {
    try {
      while (this.#hurried && this.#queue.length > 0) {
        const batch = this.#queue;
        this.#queue = [];
        this.#hurried = false;
        clearTimeout(this.#company ?? undefined);
        this.#company = null;
        const entries = await this.#parts.journal.append(batch.map((item) => item.stamped));
        for (const [index, entry] of entries.entries()) {
          const state = batch[index]?.state;
          if (state === undefined) continue;
          this.#synced = state;
          this.#parts.onSynced(entry, state);
        }
        this.#release();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#flushing = false;
    }
  }

  #release(): void {
    const ready = this.#waiters.filter((waiter) => waiter.seq <= this.#synced.seq);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.seq > this.#synced.seq);
    for (const waiter of ready) waiter.resolve();
  }

  /** The disk refused: what it does not hold has not happened. */
  #fail(error: unknown): void {
    const cause = error instanceof Error ? error.message : String(error);
    this.#failure = new PawlError(
      "journal_failed",
      `The session could not be written (${cause}). The run has stopped; everything up to step ${this.#synced.seq} is safe. Free some space or check the disk, then resume.`,
      { cause: error, values: { why: (isPawlError(error) && error.values?.["why"]) || cause } },
    );
    this.#head = this.#synced;
    this.#queue = [];
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters = [];
    this.#parts.onFailure(this.#failure);
  }
}
