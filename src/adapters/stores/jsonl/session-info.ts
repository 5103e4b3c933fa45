import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import { basename, join } from "node:path";

import { type Entry, sessionId } from "#core";
import type { SessionInfo } from "#runtime";
import { decodeLine } from "../line.ts";
import { titleOf } from "../title.ts";
import { type Identity, readIdentity } from "./identity.ts";
import { journalName } from "./layout.ts";
import { isLeased } from "./lease.ts";
import { openSource, readLines } from "./scan.ts";

/** How far into a journal its first prompt is looked for: a first look, and a longer one. */
const headBytes: readonly number[] = [8 * 1024, 256 * 1024];

/**
 * What a list says of a session, from the head of its journal; also of a damaged one. Null when the folder is gone.
 * Works synchronously in the usual case, because a list reads hundreds of small files.
 */
export async function readSessionInfo(folder: string): Promise<SessionInfo | null> {
  const path = join(folder, journalName);
  const found = stats(path) ?? stats(folder);
  if (found === null) return null;
  const identity = readIdentity(folder) ?? (await identityIn(path));
  return {
    id: sessionId(basename(folder)),
    cwd: identity?.cwd ?? "",
    folder,
    createdAt: identity?.createdAt ?? Math.floor(found.birthtimeMs),
    updatedAt: Math.floor(found.mtimeMs),
    bytes: found.isFile() ? found.size : 0,
    title: titleIn(path),
    inUse: isLeased(folder),
  };
}

function stats(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // Missing, or not to be looked at: its folder may still be.
    return null;
  }
}

function titleIn(path: string): string {
  try {
    for (const bytes of headBytes) {
      const head = readHead(path, bytes);
      for (const { fact } of entriesIn(head)) {
        const title = titleOf(fact);
        if (title !== null) return title;
      }
      if (head.length < bytes) break;
    }
  } catch {
    // A damaged session is listed without a title.
  }
  return "";
}

function readHead(path: string, bytes: number): Buffer {
  const head = Buffer.allocUnsafe(bytes);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const length = fstatSync(file).isFile() ? readSync(file, head, 0, bytes, 0) : 0;
    return head.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

function* entriesIn(head: Buffer): Generator<Entry> {
  for (let start = 0; start < head.length;) {
    const end = head.indexOf(0x0a, start);
    if (end < 0) return;
    const decoded = decodeLine(head.subarray(start, end));
    if (decoded.at === "entry") yield decoded.entry;
    start = end + 1;
  }
}

/** When its own file is lost the whole journal is read: a fork says only after its parent's lines where it belongs. */
async function identityIn(path: string): Promise<Identity | null> {
  let identity: Identity | null = null;
  try {
    const source = await openSource(path);
    try {
      for await (const lines of readLines(source, { from: 0, to: source.bytes })) {
        for (const { bytes } of lines) {
          const decoded = decodeLine(bytes);
          if (decoded.at !== "entry") continue;
          const { at, fact } = decoded.entry;
          const isBirth = fact.type === "session.started" || fact.type === "session.forked";
          if (isBirth) identity = { cwd: String(fact.cwd), createdAt: at };
        }
      }
    } finally {
      await source.handle.close();
    }
  } catch {
    // A damaged session is listed with what could be read.
  }
  return identity;
}
