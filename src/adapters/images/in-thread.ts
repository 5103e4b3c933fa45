import { Worker } from "node:worker_threads";
import type { Made, Wish } from "./codec.ts";

/** Time for the largest picture on a slow machine, many times over. */
const mostMs = 30_000;

/**
 * Decodes, shrinks and encodes in a thread of its own: seconds of work hold nothing up, a fault of the decoder ends
 * the thread alone, and all its memory goes with it. Null: it could not be done.
 */
export async function makeInThread(wish: Wish): Promise<Made | null> {
  const { promise, resolve } = Promise.withResolvers<Made | null>();
  // The build puts the address of its own file here.
  const worker = new Worker(new URL("./codec.ts", import.meta.url), {
    workerData: wish,
    // What a decoder says before it gives up is for nobody.
    stdout: true,
    stderr: true,
  });
  worker.on("message", (made: Made | null) => resolve(made));
  worker.on("error", () => resolve(null));
  worker.on("exit", () => resolve(null));
  const timer = setTimeout(() => resolve(null), mostMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
