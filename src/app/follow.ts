import type { Entry, State } from "#core";
import type { Signal } from "#runtime";
import type { OpenedSession } from "./opened.ts";

export type Followed =
  | {
      readonly type: "fact";
      readonly entry: Entry;
      /** What holds after the fact, or after a later one when the reader came late. */
      readonly state: State;
    }
  | { readonly type: "signal"; readonly signal: Signal };

/**
 * Everything that happens in a session from an entry on, in order, whenever the reader came: what a snapshot
 * stands for is read from the journal, so that no fact is ever left out. Ends when the session closes.
 */
export async function* follow(opened: OpenedSession, fromSeq: number): AsyncGenerator<Followed> {
  let seq = fromSeq - 1;
  for await (const item of opened.session.feed()) {
    switch (item.type) {
      case "snapshot":
        if (item.state.seq <= seq) break;
        for await (const entry of opened.entries(seq + 1)) {
          if (entry.seq > item.state.seq) break;
          seq = entry.seq;
          yield { type: "fact", entry, state: item.state };
        }
        break;
      case "fact":
        if (item.entry.seq <= seq) break;
        seq = item.entry.seq;
        yield item;
        break;
      case "signal":
        yield item;
        break;
      case "gap":
        break;
      default:
        return item satisfies never;
    }
  }
}
