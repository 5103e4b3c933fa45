import { randomBytes } from "node:crypto";

import { sessionId } from "#core";
import type { Clock, Entropy } from "#runtime";

/** Crockford's base 32: no I, L, O, U. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeDigits = 10;
const randomDigits = 16;
const randomBits = 80n;

/**
 * Randomness of this machine. Session ids are ULIDs (26 digits: 48 bits of time, 80 random bits): ids of one
 * process sort in the order they were made, also within a millisecond and when the clock goes back.
 */
export function systemEntropy(clock: Pick<Clock, "now">): Entropy {
  let last = 0n;
  return {
    sessionId() {
      const random = BigInt(`0x${randomBytes(10).toString("hex")}`);
      const fresh = (BigInt(clock.now()) << randomBits) | random;
      last = fresh > last ? fresh : last + 1n;
      return sessionId(inBase32(last));
    },
    jitter: () => Math.random(),
  };
}

function inBase32(value: bigint): string {
  let text = "";
  for (let rest = value; text.length < timeDigits + randomDigits; rest >>= 5n) {
    text = digits.charAt(Number(rest & 31n)) + text;
  }
  return text;
}
