import { Worker } from "node:worker_threads";
import type { Raw, ReadPage } from "./read-page.ts";

/** Reading 10 MB takes a second on a slow machine; a page that takes longer than this was made to. */
const mostMs = 15_000;
const memory = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 } as const;

/**
 * Reads a page in a thread of its own: it can be ended, and its memory has a limit. Null: the page is no text;
 * `stopped`: it could not be read, or not in time.
 */
export async function readInThread(
  raw: Raw,
  signal: AbortSignal,
): Promise<ReadPage | null | "stopped"> {
  const { promise, resolve } = Promise.withResolvers<ReadPage | null | "stopped">();
  const stop = (): void => resolve("stopped");
  // The build puts the address of its own file here.
  const worker = new Worker(new URL("./page-thread.ts", import.meta.url), {
    workerData: raw,
    resourceLimits: memory,
    stdout: true,
    stderr: true,
  });
  worker.on("message", (page: ReadPage | null) => resolve(page));
  worker.on("error", stop);
  worker.on("exit", stop);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const timer = setTimeout(stop, mostMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}
