import { basename, join } from "node:path";

import { sessionId } from "#core";
import type { CrashPoint, Damage, Journal } from "#runtime";
import { journalClosed, journalReadOnly } from "../store-errors.ts";
import { openBlobs } from "./blobs.ts";
import { blobsName, journalName } from "./layout.ts";
import { emptiedDamage } from "./emptied.ts";
import { isLeased, type Lease } from "./lease.ts";
import { type Log, openLog } from "./log.ts";
import { mendTail } from "./torn-tail.ts";
import { openWriter, type Writer } from "./writer.ts";

/** Opens the journal of a session folder for reading. Any number may; they see what is appended later. */
export async function openReader(folder: string): Promise<Journal> {
  const id = sessionId(basename(folder));
  const log = await openLog(join(folder, journalName));
  const blobs = openBlobs(join(folder, blobsName), () => {});
  // Bad lines at the end are damage only when nobody is writing them.
  const tail = isLeased(folder) ? [] : log.opened.tail;
  const emptied = isLeased(folder) ? [] : emptiedDamage(folder, log.opened);
  const readOnly = async (): Promise<never> => {
    throw journalReadOnly(id);
  };
  return {
    id,
    folder,
    get damage() {
      const reported = log.damage.at(-1)?.line ?? 0;
      return [...emptied, ...log.damage, ...tail.filter((one) => one.line > reported)];
    },
    get seq() {
      return log.seq;
    },
    append: readOnly,
    read: (fromSeq = 1) => log.read(fromSeq, null),
    putBlob: readOnly,
    getBlob: blobs.get,
    close: async () => {},
  };
}

/** Opens the journal of a session folder for writing and mends its end. Owns the lease, also when it throws. */
export async function openForWriting(
  folder: string,
  options: { readonly lease: Lease; readonly crash: CrashPoint },
): Promise<Journal> {
  const { lease, crash } = options;
  try {
    const path = join(folder, journalName);
    const log = await openLog(path);
    const emptied = emptiedDamage(folder, log.opened);
    const mended = await mendTail(path, log.opened);
    const writer = openWriter(path, mended.tail, crash);
    lease.announce(folder);
    return leased({ folder, log, writer, crash, lease, torn: [...emptied, ...mended.damage] });
  } catch (error) {
    lease.release();
    throw error;
  }
}

interface Leased {
  readonly folder: string;
  readonly log: Log;
  readonly writer: Writer;
  readonly crash: CrashPoint;
  readonly lease: Lease;
  readonly torn: readonly Damage[];
}

function leased({ folder, log, writer, crash, lease, torn }: Leased): Journal {
  const id = sessionId(basename(folder));
  const blobs = openBlobs(join(folder, blobsName), crash);
  let closing: Promise<void> | null = null;

  const requireOpen = (): void => {
    if (closing !== null) throw journalClosed(id);
  };
  const close = async (): Promise<void> => {
    try {
      await writer.close();
    } finally {
      lease.release();
    }
  };
  return {
    id,
    folder,
    get damage() {
      return [...log.damage, ...torn];
    },
    get seq() {
      return writer.tail.seq;
    },
    async append(facts) {
      requireOpen();
      return writer.append(facts);
    },
    read: (fromSeq = 1) => log.read(fromSeq, writer.tail.bytes),
    async putBlob(bytes) {
      requireOpen();
      return blobs.put(bytes);
    },
    getBlob: blobs.get,
    close: () => (closing ??= close()),
  };
}
