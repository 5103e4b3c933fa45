import {
  isIllegal,
  outstanding,
  PawlError,
  type Effect,
  type Entry,
  type Fact,
  type State,
} from "#core";
import { agenda } from "./agenda.ts";
import type { SessionParts } from "./api.ts";
import type { Feed } from "./feed.ts";
import { Ledger } from "./ledger.ts";
import { callModel } from "./perform/model.ts";
import { cutContext, judge, probe, wait } from "./perform/others.ts";
import type { Stage } from "./perform/performer.ts";
import { runTool } from "./perform/tool.ts";
import type { Toolbox } from "./toolbox.ts";

interface InFlight {
  readonly effect: Effect;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export interface DriverParts {
  readonly session: SessionParts;
  readonly tools: Toolbox;
  readonly feed: Feed;
  readonly state: State;
}

/**
 * The loop: take what the state owes the world, start what is not under way, drop what is no longer owed; each
 * effect ends in one fact, which makes a new state. Resuming is how it starts.
 */
export class Driver {
  readonly #stage: Stage;
  readonly #ledger: Ledger;
  readonly #inFlight = new Map<string, InFlight>();
  readonly #watchers = new Set<() => void>();
  #driving = false;
  #again = false;
  #closing = false;
  #failure: PawlError | null = null;
  readonly #feed: Feed;

  constructor(parts: DriverParts) {
    const { session, tools, feed, state } = parts;
    this.#feed = feed;
    this.#ledger = new Ledger({
      journal: session.journal,
      clock: session.clock,
      state,
      onSynced: (entry, after) => this.#publish(feed, entry, after),
      onFailure: (error) => this.#fail(error),
    });
    this.#stage = {
      parts: session,
      tools,
      agenda: agenda((hash) => session.journal.getBlob(hash), tools),
      head: () => this.#ledger.head,
      propose: (fact) => this.propose(fact) === null,
      synced: () => this.#ledger.synced(),
      recorded: () => this.#ledger.recorded(),
      signal: (signal) => feed.signal(signal),
      crash: (point) => session.crash?.(point),
    };
  }

  get head(): State {
    return this.#ledger.head;
  }

  /** Why the session can no longer go on; null while it can. */
  get failure(): PawlError | null {
    return this.#failure;
  }

  get state(): State {
    return this.#ledger.state;
  }

  /** Takes a fact in and works out what follows. Returns why it cannot have happened, or null. */
  propose(fact: Fact): string | null {
    return this.proposeAll([fact]);
  }

  /** Takes in facts that belong together: what follows is worked out after the last, or after one that is refused. */
  proposeAll(facts: readonly Fact[]): string | null {
    let problem: string | null = null;
    for (const fact of facts) {
      const refused = this.#ledger.propose(fact);
      if (refused !== null && isIllegal(refused)) {
        problem = `${fact.type} was refused: ${refused.illegal}`;
        break;
      }
      if (fact.type === "request.started") this.#stage.agenda.forget();
    }
    this.drive();
    return problem;
  }

  synced(): Promise<void> {
    return this.#ledger.synced();
  }

  /** One pass, again for as long as facts were taken in meanwhile. */
  drive(): void {
    this.#again = true;
    if (this.#driving) return;
    this.#driving = true;
    try {
      while (this.#again && this.#failure === null) {
        this.#again = false;
        this.#pass(outstanding(this.#ledger.head));
      }
    } finally {
      this.#driving = false;
    }
    this.#notify();
  }

  #pass(owed: readonly Effect[]): void {
    const ids = new Set(owed.map((effect) => effect.id));
    for (const [id, running] of this.#inFlight) {
      if (!ids.has(id)) this.#drop(id, running, "discard");
    }
    for (const effect of owed) {
      const running = this.#inFlight.get(effect.id);
      if (running === undefined) this.#begin(effect);
      else if (effect.stop === "now" && !running.abort.signal.aborted)
        running.abort.abort("interrupt");
      if (this.#again) return;
    }
  }

  #drop(id: string, running: InFlight, reason: "discard"): void {
    this.#inFlight.delete(id);
    if (!running.abort.signal.aborted) running.abort.abort(reason);
  }

  #begin(effect: Effect): void {
    if (this.#closing || effect.type === "ask" || effect.type === "watch_job") return;
    const abort = new AbortController();
    // The performer may run at once and end this very effect, so it is listed before it begins.
    const start = Promise.withResolvers<void>();
    this.#inFlight.set(effect.id, { effect, abort, done: start.promise });
    if (effect.stop === "now") abort.abort("interrupt");
    void this.#perform(effect, abort.signal).then(start.resolve, (error: unknown) => {
      start.resolve();
      this.#fail(faultOf(effect, error));
    });
  }

  async #perform(effect: Effect, signal: AbortSignal): Promise<void> {
    switch (effect.type) {
      case "call_model":
        return callModel({ effect, signal }, this.#stage);
      case "decide":
        return judge({ effect, signal }, this.#stage);
      case "run_tool":
        return runTool({ effect, signal }, this.#stage);
      case "probe":
        return probe({ effect, signal }, this.#stage);
      case "wait":
        return wait({ effect, signal }, this.#stage);
      case "cut_context":
        return cutContext({ effect, signal }, this.#stage);
      case "ask":
      case "watch_job":
        return;
      default:
        return effect satisfies never;
    }
  }

  #publish(feed: Feed, entry: Entry, state: State): void {
    this.#stage.crash(`fact.${entry.fact.type}`);
    feed.fact(entry, state);
    this.#notify();
  }

  #fail(error: PawlError): void {
    this.#failure ??= error;
    for (const running of this.#inFlight.values()) {
      if (!running.abort.signal.aborted) running.abort.abort("interrupt");
    }
    // Readers learn that nothing more comes; `settled` says why.
    this.#feed.close();
    this.#notify();
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Resolves when nothing is owed but a person's answer, and everything is on disk. */
  async settled(): Promise<{ readonly state: State; readonly waiting: boolean }> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure;
      const { head, state } = this.#ledger;
      const owed = outstanding(head).filter((effect) => effect.type !== "watch_job");
      const isOver = owed.every((effect) => effect.type === "ask");
      if (isOver && head.seq === state.seq) return { state, waiting: owed.length > 0 };
      await (isOver ? this.synced() : this.#change());
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const watcher = (): void => {
        this.#watchers.delete(watcher);
        resolve();
      };
      this.#watchers.add(watcher);
    });
  }

  /** Begins nothing more; tools end and are recorded, a reply that streams is left for the next process. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const [id, running] of this.#inFlight) {
      if (running.effect.type === "run_tool") running.abort.abort("interrupt");
      else this.#drop(id, running, "discard");
    }
    await Promise.all([...this.#inFlight.values()].map((running) => running.done));
    if (this.#failure === null) await this.synced();
  }
}

const faultOf = (effect: Effect, error: unknown): PawlError => {
  if (error instanceof PawlError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new PawlError(
    "engine_fault",
    `The engine failed in ${effect.type} (${message}). Nothing recorded is lost: resume the session; if it happens again, report it.`,
    { cause: error, values: { where: effect.type, what: message } },
  );
};
