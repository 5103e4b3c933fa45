import { parentPort, workerData } from "node:worker_threads";
import { readPage, type Raw } from "./read-page.ts";

/** Reads the one page it was started with. */
if (parentPort !== null) {
  const raw: Raw = workerData;
  parentPort.postMessage(await readPage(raw));
}
