// A measured process: reads one long text of a wire. Prints the most bytes that were alive beyond those before it, by
// and by while it streams, all garbage gone: node --expose-gc bench/reply-memory.ts WARM-URL URL WIRE

import { clientOf, readReply } from "./long-reply-client.ts";
import { wireNames } from "./long-reply.ts";

const [warmUrl = "", url = "", name = ""] = process.argv.slice(2);
const wire = wireNames.find((one) => one === name) ?? "anthropic";
/** Characters between two looks. */
const lookEvery = 100_000;

/** What the first round leaves to be freed beside it, the second waits for. */
function liveBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await readReply(clientOf(wire, warmUrl));
const client = clientOf(wire, url);
const before = liveBytes();
let most = 0;
let next = lookEvery;
await readReply(client, (characters) => {
  if (characters < next) return;
  next += lookEvery;
  most = Math.max(most, liveBytes() - before);
});
console.log(most);
