import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "#core";
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

/**
 * All `X.sse` below a folder, with `X.expect.json` beside them where there is one. The wire is named there, else by
 * the folder.
 * @param onUnknown told of each stream of a wire that is not spoken here; it is left out
 */
export function recordingsIn(
  folder: string,
  onUnknown: (path: string) => void = () => {},
): readonly Recording[] {
  return globSync("**/*.sse", { cwd: folder })
    .toSorted()
    .flatMap((path) => {
      const stem = join(folder, path.slice(0, -".sse".length));
      const expected = readJson(`${stem}.expect.json`);
      const named = expected?.["wire"] ?? basename(dirname(stem));
      const wire = wires.find(({ name }) => name === named);
      if (wire === undefined) {
        onUnknown(path);
        return [];
      }
      // Written by people, and compared field by field: a wrong shape shows as a difference.
      const expectation = expected as Expectation | null;
      return [{ name: path.slice(0, -4), wire, sse: readFileSync(`${stem}.sse`), expectation }];
    });
}

function readJson(path: string): JsonObject | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as JsonObject;
  } catch {
    return null;
  }
}
