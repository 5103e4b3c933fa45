/** Where things are: `<home>/sessions/<folder key>/<session id>/…`. */
import { hash as digest } from "node:crypto";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import type { SessionId } from "#core";
import { isSessionName } from "../session-name.ts";

export const journalName = "journal.jsonl";
export const blobsName = "blobs";
export const runsName = "runs";
export const spoolName = "spool";

/** Folders that are not sessions (yet, or any more): being written, or being removed. */
export const draftPrefix = ".draft-";

export const sessionsFolder = (home: string): string => join(home, "sessions");

/** The real path of a folder. A folder that was deleted still has its sessions: its parent's real path counts. */
export async function realFolder(cwd: string): Promise<string> {
  const path = resolve(cwd);
  const parent = dirname(path);
  return realpath(path).catch(async () =>
    parent === path ? path : join(await realFolder(parent), basename(path)),
  );
}

/** A readable name for people, and enough of a hash that no two folders share it. */
export function folderKey(realPath: string): string {
  const name = basename(realPath)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 40);
  const hash = digest("sha256", realPath, "hex").slice(0, 24);
  return `${name === "" ? "folder" : name}-${hash}`;
}

/** The folder of a session, or null. */
export async function findSessionFolder(home: string, id: SessionId): Promise<string | null> {
  if (!isSessionName(id)) return null;
  const root = sessionsFolder(home);
  for (const key of await namesIn(root)) {
    const folder = join(root, key, id);
    if (await isFolder(folder)) return folder;
  }
  return null;
}

/** Folders of all sessions, or of those that were begun in one folder. */
export async function sessionFolders(home: string, cwd: string | null): Promise<string[]> {
  const root = sessionsFolder(home);
  const keys = cwd === null ? await namesIn(root) : [folderKey(cwd)];
  const folders: string[] = [];
  for (const key of keys) {
    const names = await namesIn(join(root, key));
    folders.push(...names.filter(isSessionName).map((name) => join(root, key, name)));
  }
  return folders;
}

export async function namesIn(folder: string): Promise<string[]> {
  // No folder, no sessions.
  return readdir(folder).catch(() => []);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
