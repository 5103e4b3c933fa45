import { openCalls, type State } from "#core";
import type { Words } from "#i18n";
import { clockTime } from "../view/clock-time.ts";
import type { Narrator } from "../view/narrator.ts";

/** Programs that watch a log take long silence for death. */
export const heartbeatMs: number = 30_000;

/** What goes on in a state, for a line after a long silence; null when nothing does. */
export function stillGoingOn(
  state: State,
  now: number,
  { words, narrator }: { readonly words: Words; readonly narrator: Narrator },
): string | null {
  const { phase } = state;
  const seconds = Math.round((now - state.at) / 1000);
  switch (phase.at) {
    case "backing_off":
      return words.progress.stillWaiting(
        phase.cause.class,
        Math.max(0, Math.round((phase.until - now) / 1000)),
        clockTime(phase.until, now),
      );
    case "thinking":
    case "compacting":
      return words.progress.stillWorking(words.progress.thinking, seconds);
    case "acting": {
      const running = openCalls(state).filter((call) => call.status.at === "started");
      if (running.length === 0) return null;
      const titles = running.map((call) => narrator.title(call.id)).join(", ");
      return words.progress.stillWorking(titles, seconds);
    }
    case "idle":
    case "stopped":
      return null;
    default:
      return phase satisfies never;
  }
}
