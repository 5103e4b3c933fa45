import { hash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";

import { PawlError, type Entry, type Stamped } from "#core";

/** `v` of the lines this version writes. */
export const formatVersion = 1;
/** `prev` of the first line. */
export const firstPrev: string = "0".repeat(32);
/** A longer line is neither written nor read: it bounds the memory of every reader. */
export const maxLineBytes: number = 16 * 1024 * 1024;

/** Far beyond any session, and safely below where numbers lose their last digit. */
const maxSeq = 2 ** 48;

/** `,"sum":"0123abcd"}`: what follows the bytes the sum is taken over. */
const tailLength = 18;

/** What the next line of a journal follows. */
export interface Link {
  readonly seq: number;
  /** `prev` of the line to come. */
  readonly prev: string;
}

/**
 * The lines of some facts, each ended by a newline, and what the next line follows.
 * @throws PawlError `invalid_fact` when one is not plain JSON or its line would be too long
 */
export function encodeLines(
  facts: readonly Stamped[],
  from: Link,
): { readonly entries: readonly Entry[]; readonly text: string; readonly link: Link } {
  const entries: Entry[] = [];
  let text = "";
  let { seq, prev } = from;
  for (const stamped of facts) {
    seq += 1;
    const { entry, line } = encodeLine(stamped, { seq, prev });
    prev = chainHash(line);
    entries.push(entry);
    text += `${line}\n`;
  }
  return { entries, text, link: { seq, prev } };
}

function encodeLine(
  { at, fact }: Stamped,
  { seq, prev }: Link,
): { readonly entry: Entry; readonly line: string } {
  if (!Number.isFinite(at)) throw new PawlError("invalid_fact", `${at} is not a time.`);
  if (seq > maxSeq) throw new PawlError("invalid_fact", `A journal ends at entry ${maxSeq}.`);
  const head = `{"v":${formatVersion},"seq":${seq},"at":${at},"prev":"${prev}","fact":${factJson(fact)}`;
  const sum = checksum(head);
  const line = `${head},"sum":"${sum}"}`;
  if (line.length * 3 > maxLineBytes && Buffer.byteLength(line) > maxLineBytes) {
    throw new PawlError(
      "invalid_fact",
      `A fact of type ${fact.type} takes more than ${maxLineBytes} bytes. Long strings belong in blobs.`,
    );
  }
  return { entry: { v: formatVersion, seq, at, prev, fact, sum }, line };
}

/** Readers that split on the line separators of Unicode must see one line too. */
function factJson(fact: Stamped["fact"]): string {
  if (!isRecord(fact) || typeof fact.type !== "string") {
    throw new PawlError("invalid_fact", "A fact is an object with a type.");
  }
  let json: string;
  try {
    json = JSON.stringify(fact);
  } catch (cause) {
    throw new PawlError("invalid_fact", `A fact of type ${fact.type} is not plain JSON.`, {
      cause,
    });
  }
  return json.replace(/[\u2028\u2029]/g, (char) => (char === "\u2028" ? "\\u2028" : "\\u2029"));
}

/** The `prev` of the line that follows `line` (without its newline). */
export function chainHash(line: string | Uint8Array): string {
  return hash("sha256", line, "hex").slice(0, 32);
}

export type Decoded =
  | { readonly at: "entry"; readonly entry: Entry }
  /** Intact, and written by a later version. */
  | { readonly at: "newer"; readonly version: number; readonly program: string | null }
  | { readonly at: "bad"; readonly why: string };

/** Checks a line (without its newline) and reads it. Never throws. */
export function decodeLine(line: Buffer): Decoded {
  const tail = /^,"sum":"([0-9a-f]{8})"\}$/.exec(
    line.toString("latin1", Math.max(0, line.length - tailLength)),
  );
  if (tail === null) return { at: "bad", why: "does not end with a checksum" };
  if (tail[1] !== checksum(line.subarray(0, -tailLength))) {
    return { at: "bad", why: "does not match its checksum" };
  }
  if (!isUtf8(line)) return { at: "bad", why: "is not valid UTF-8" };
  try {
    return readEntry(JSON.parse(line.toString()));
  } catch {
    // The checksum is right, so somebody wrote exactly this: not JSON, or nested beyond what can be read.
    return { at: "bad", why: "is not valid JSON" };
  }
}

function checksum(bytes: string | Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

/** Facts themselves are checked by core, which knows their forms; here only the envelope is. */
function readEntry(value: unknown): Decoded {
  if (!isRecord(value)) return { at: "bad", why: "is not a journal line" };
  const { v, seq, at, prev, fact } = value;
  if (Number.isSafeInteger(v) && Number(v) > formatVersion) {
    const program = isRecord(fact) && typeof fact["program"] === "string" ? fact["program"] : null;
    return { at: "newer", version: Number(v), program };
  }
  const isEntry =
    v === formatVersion &&
    Number.isSafeInteger(seq) &&
    Number(seq) >= 1 &&
    Number(seq) <= maxSeq &&
    Number.isFinite(at) &&
    typeof prev === "string" &&
    isRecord(fact) &&
    typeof fact["type"] === "string";
  if (!isEntry) return { at: "bad", why: "is not a journal line" };
  // Checked above; the parsed object itself is kept, so that unknown fields survive.
  return { at: "entry", entry: value as unknown as Entry };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
