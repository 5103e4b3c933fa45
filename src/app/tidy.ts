import { endOrphans } from "#adapters/exec";

/** Work beside a session that nobody waits for. */
export interface Tidying {
  stop(): Promise<void>;
}

/** Ends what commands of killed sessions left running. It must never be in the way: what fails is left for the next one. */
export function tidyUp(): Tidying {
  const stopped = new AbortController();
  const tidied = endOrphans({ signal: stopped.signal }).catch(() => 0);
  return {
    async stop() {
      stopped.abort();
      await tidied;
    },
  };
}
