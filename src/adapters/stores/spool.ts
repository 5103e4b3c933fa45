import { type FileHandle, open } from "node:fs/promises";
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

/**
 * Deltas are gathered while the disk is busy and written together, unsynced; nobody waits for them. A file that cannot
 * be written is given up until the next `clear`: a spool makes a lost reply readable and must never stop one.
 */
function fileSpool(path: string): Spool {
  let file: FileHandle | null = null;
  let waiting = "";
  /** What the file holds counts no more. */
  let isStale = false;
  let mayHoldText = true;
  let isGivenUp = false;
  let working: Promise<void> | null = null;

  const isOwed = (): boolean => !isGivenUp && (isStale || wholeCharacters(waiting) !== "");
  const start = (): void => {
    working ??= work().finally(() => {
      working = null;
      if (isOwed()) start();
    });
  };

  async function work(): Promise<void> {
    try {
      file ??= await open(path, "a", 0o600);
      while (isOwed()) await step(file);
    } catch {
      isGivenUp = true;
      waiting = "";
    }
  }

  async function step(to: FileHandle): Promise<void> {
    if (isStale) {
      isStale = false;
      await to.truncate(0);
      mayHoldText = false;
      return;
    }
    const ready = wholeCharacters(waiting);
    waiting = waiting.slice(ready.length);
    mayHoldText = true;
    await to.appendFile(ready);
  }

  return {
    write(delta) {
      if (isGivenUp) return;
      waiting += delta;
      start();
    },
    async take() {
      await working;
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
      if (isStale) start();
    },
    async close() {
      if (isStale) start();
      await working;
      await file?.close();
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
