import type { OpenFile } from "../../workspace/index.ts";

/** The beginning of a file. */
export interface Head {
  readonly bytes: Buffer;
  /** There is no more. */
  readonly isWhole: boolean;
}

/** A file whose beginning has been read. */
export interface BegunFile extends OpenFile {
  readonly head: Head;
}

/** Bytes: enough to tell the encoding by, and all of most files. */
const mostBytes = 1 << 20;
/** Bytes; for files that do not say how long they are (`/proc`). */
const blindBytes = 1 << 18;

export async function readHead({ handle, stats }: OpenFile): Promise<Head> {
  // One byte more than there should be: when only that one is missing, the end has been seen.
  const buffer = Buffer.allocUnsafe(
    stats.size === 0 ? blindBytes : Math.min(stats.size + 1, mostBytes),
  );
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  return {
    bytes: buffer.subarray(0, bytesRead),
    isWhole: bytesRead === stats.size && bytesRead < buffer.length,
  };
}
