import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Json, JsonObject } from "#core";
import { wires, type Wire } from "./wires.ts";

/** What must come out of a stream, in the words of its fixture. */
export interface Expectation {
  readonly outcome: string;
  /** Ids of the calls that may run; null for a call without one. */
  readonly runnable: readonly (string | null)[];
  readonly expect: JsonObject & {
    readonly usage: Readonly<Record<string, number>> | null;
    readonly error?: { readonly message: string };
    readonly stopDetails?: { readonly explanation: string | null };
  };
}

/** One recorded answer of a provider. */
export interface Recording {
  /** Path in its folder, without its ending. */
  readonly name: string;
  readonly wire: Wire;
  readonly sse: Buffer;
  /** Null for a stream nobody has judged yet. */
  readonly expectation: Expectation | null;
}

export interface Recordings {
  readonly recordings: readonly Recording[];
  /** A line for each file that cannot be used: its path and why. */
  readonly unusable: readonly string[];
}

/**
 * All `X.sse` below a folder, with `X.expect.json` beside them where there is one. The wire is named there, else by
 * the folder, else told by the first events.
 */
export function recordingsIn(folder: string): Recordings {
  const recordings: Recording[] = [];
  const unusable: string[] = [];
  for (const path of globSync("**/*.sse", { cwd: folder }).toSorted()) {
    const found = recordingAt(folder, path.slice(0, -".sse".length));
    if ("problem" in found) unusable.push(`${path}: ${found.problem}`);
    else recordings.push(found);
  }
  return { recordings, unusable };
}

function recordingAt(folder: string, name: string): Recording | { readonly problem: string } {
  const stem = join(folder, name);
  const sse = readBytes(`${stem}.sse`);
  if (sse === null) return { problem: "it cannot be read as a file" };
  const text = readBytes(`${stem}.expect.json`)?.toString("utf8") ?? null;
  const expected = text === null ? null : parsed(text);
  const problem = expected === null ? null : problemIn(expected);
  if (problem !== null) return { problem: `${basename(name)}.expect.json ${problem}` };
  const said = (expected as JsonObject | null)?.["wire"]; // an object, or there would be a problem
  const named = said ?? basename(dirname(stem));
  const wire = wires.find((one) => one.name === named);
  const known = wire ?? (said === undefined ? wires.find((one) => one.isSpokenIn(sse)) : undefined);
  if (known === undefined) {
    const what =
      said === undefined ? "nothing says which wire it is" : `no wire ${JSON.stringify(said)}`;
    return { problem: `${what} (known: ${wires.map((one) => one.name).join(", ")})` };
  }
  // Its shape was looked at; its fields are compared one by one, so that a wrong one shows as a difference.
  return { name, wire: known, sse, expectation: expected as Expectation | null };
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null; // a folder, a link to nothing, not ours to read: the caller says so
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // JSON.parse gives JSON or throws
  } catch {
    return undefined;
  }
}

/** What is wrong with a fixture before anything is compared with it; null when it can be. */
function problemIn(fixture: Json | undefined): string | null {
  if (fixture === undefined) return "is not valid JSON";
  if (!isObject(fixture)) return "is not an object";
  const { outcome, runnable, expect } = fixture;
  if (typeof outcome !== "string") return "has no outcome, a text";
  if (!Array.isArray(runnable)) return "has no runnable, a list of ids";
  if (!isObject(expect)) return "has no expect, an object";
  const { usage } = expect;
  return usage === null || isObject(usage) ? null : "has no expect.usage, an object or null";
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
