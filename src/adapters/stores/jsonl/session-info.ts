import { stat } from "node:fs/promises";
import { basename, join } from "node:path";

import { type Entry, type EpochMs, sessionId } from "#core";
import type { SessionInfo } from "#runtime";
import { decodeLine } from "../line.ts";
import { titleOf } from "../title.ts";
import { type Identity, readIdentity } from "./identity.ts";
import { journalName } from "./layout.ts";
import { isLeased } from "./lease.ts";
import { openSource, readLines } from "./scan.ts";

/** A first prompt further down than this is not looked for. */
const headBytes = 256 * 1024;
const chunkBytes = 16 * 1024;

/** What a list says of a session, from the head of its journal; also of a damaged one. Null when the folder is gone. */
export async function readSessionInfo(folder: string): Promise<SessionInfo | null> {
  const path = join(folder, journalName);
  const found = await stat(path).catch(() => stat(folder).catch(() => null));
  if (found === null) return null;
  const identity = await readIdentity(folder);
  const head = await skim(path, identity);
  return {
    id: sessionId(basename(folder)),
    cwd: head.cwd,
    folder,
    createdAt: head.createdAt ?? found.birthtimeMs,
    updatedAt: found.mtimeMs,
    bytes: found.isFile() ? found.size : 0,
    title: head.title,
    inUse: isLeased(folder),
  };
}

interface Head {
  cwd: string;
  createdAt: EpochMs | null;
  title: string;
}

/** Without an identity the whole journal is read: a fork says only after its parent's lines where it belongs. */
async function skim(path: string, identity: Identity | null): Promise<Readonly<Head>> {
  const head: Head = { cwd: "", createdAt: null, ...identity, title: "" };
  try {
    const source = await openSource(path);
    try {
      const to = identity === null ? source.bytes : Math.min(headBytes, source.bytes);
      for await (const lines of readLines(source, { from: 0, to, chunkBytes })) {
        for (const line of lines) {
          const decoded = decodeLine(line.bytes);
          if (decoded.at === "entry") note(head, decoded.entry);
          if (identity !== null && head.title !== "") return head;
        }
      }
    } finally {
      await source.handle.close();
    }
  } catch {
    // A damaged session is listed with what could be read.
  }
  return head;
}

function note(head: Head, { at, fact }: Entry): void {
  if (head.title === "") head.title = titleOf(fact) ?? "";
  if (fact.type !== "session.started" && fact.type !== "session.forked") return;
  head.cwd = String(fact.cwd);
  head.createdAt = at;
}
