export type StopSignal = "interrupted" | "terminated";

export interface SignalHandlers {
  /** The first signal: end what runs, in order. */
  stop(how: StopSignal): void;
  /** A second one: leave at once. */
  leave(how: StopSignal): void;
}

/**
 * Ctrl-C, and what ends a process from outside (a closed terminal counts as ended).
 * @returns takes the handlers off again
 */
export function onSignals(handlers: SignalHandlers): () => void {
  let stopped = false;
  const take = (how: StopSignal) => (): void => {
    if (stopped) return handlers.leave(how);
    stopped = true;
    handlers.stop(how);
  };
  const interrupt = take("interrupted");
  const terminate = take("terminated");
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  process.on("SIGHUP", terminate);
  return () => {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", terminate);
    process.off("SIGHUP", terminate);
  };
}
