import type { Hash, Json } from "#core";
import type { ToolEnv } from "#runtime";
import { hashOf, readAll, type OpenFile } from "../../workspace/index.ts";

// Which content of a file the model knows, because a call of this session showed it or wrote it, is a document of the
// session: it outlives compaction and a restart, and a fork takes it along.

/** Bytes; the content of files up to this is kept, so that a later change by somebody else can be merged. */
const mostBaseBytes = 256 << 10;
/** Bytes; of larger files it is not recorded that they were read, since no call shows them whole. */
const mostSeenBytes = 8 << 20;

const nameOf = (path: string): string => `seen:${path}`;

export const seenDoc = (path: string, hash: Hash | null): Readonly<Record<string, Json>> => ({
  [nameOf(path)]: hash,
});

/** Hash of the content the model knows of the file at this real path; null when it knows none. */
export function seenHash(path: string, env: Pick<ToolEnv, "doc">): string | null {
  const doc = env.doc(nameOf(path));
  return typeof doc === "string" ? doc : null;
}

/** Keeps content the model is shown or has written, if it is small enough. */
export async function keepBase(bytes: Uint8Array, env: Pick<ToolEnv, "putBlob">): Promise<void> {
  if (bytes.length <= mostBaseBytes) await env.putBlob(bytes);
}

/** The document that says that a file was read. */
export async function seenBy(
  path: string,
  file: OpenFile & { readonly head: { readonly bytes: Buffer; readonly isWhole: boolean } },
  env: Pick<ToolEnv, "putBlob">,
): Promise<Readonly<Record<string, Json>>> {
  const { head } = file;
  if (file.stats.size > mostSeenBytes) return {};
  const bytes = head.isWhole ? head.bytes : await readAll(file, mostSeenBytes);
  if (bytes === null) return {};
  await keepBase(bytes, env);
  return seenDoc(path, hashOf(bytes));
}
