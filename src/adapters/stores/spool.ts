import { appendFileSync, closeSync, ftruncateSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

import type { Spool } from "#runtime";
import { spoolName } from "./jsonl/layout.ts";

/** More than any reply; a larger file is not ours. */
const mostTakenBytes = 16 * 1024 * 1024;

/** The spool of a session: a file in the session's folder, or memory when it has none. */
export function openSpool(sessionFolder: string | null): Spool {
  return sessionFolder === null
    ? memorySpool()
    : fileSpool(join(sessionFolder, spoolName, "deltas"));
}

function memorySpool(): Spool {
  let text = "";
  return {
    write: (delta) => void (text += delta),
    async take() {
      const left = text;
      text = "";
      return left;
    },
    clear: () => void (text = ""),
    close: async () => {},
  };
}

/** Deltas are gathered for so long, in ms; that much of a reply is lost with the process. */
const gatheredMs = 5;

/**
 * Deltas are gathered for a moment and written together, unsynced; those of a reply that is on disk by then are never
 * written. A file that cannot be written is given up until the next `clear`: a spool makes a lost reply readable
 * and must never stop one. Written on this thread: handing a few bytes to another one costs more than writing them.
 */
function fileSpool(path: string): Spool {
  let file: number | null = null;
  let waiting = "";
  /** What the file holds counts no more. */
  let isStale = false;
  let mayHoldText = true;
  let isGivenUp = false;
  let due: NodeJS.Timeout | null = null;

  function soon(): void {
    due ??= setTimeout(flush, gatheredMs);
  }

  function flush(): void {
    clearTimeout(due ?? undefined);
    due = null;
    const ready = wholeCharacters(waiting);
    if (isGivenUp || (!isStale && ready === "")) return;
    waiting = waiting.slice(ready.length);
    try {
      file ??= openSync(path, "a", 0o600);
      if (isStale) ftruncateSync(file);
      isStale = false;
      mayHoldText = ready !== "";
      if (mayHoldText) appendFileSync(file, ready);
    } catch {
      isGivenUp = true;
      waiting = "";
    }
  }

  return {
    write(delta) {
      if (isGivenUp) return;
      waiting += delta;
      soon();
    },
    async take() {
      flush();
      if (isStale) return "";
      const text = await readText(path);
      // Emptied only with what comes next: killed before the text is in the journal, the next process finds it again.
      isStale = mayHoldText;
      return text;
    },
    clear() {
      waiting = "";
      isGivenUp = false;
      isStale ||= mayHoldText;
      // At once: a process that dies in the next reply must not find this one.
      if (isStale) flush();
    },
    async close() {
      flush();
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** A pair of surrogates may come in two deltas; its first half waits for the second. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** The text, without a last character whose bytes did not all arrive. */
async function readText(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.min(size, mostTakenBytes));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      return decoder.decode(bytes.subarray(0, bytesRead), { stream: true });
    } finally {
      await file.close();
    }
  } catch {
    // There is none, or it cannot be read: the reply is lost without its text.
    return "";
  }
}
