/** Bytes that only grow; a view stays as it is when more are appended. */
export interface GrowingBytes {
  append(text: string): void;
  view(): Uint8Array;
}

export function growingBytes(): GrowingBytes {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    append(text) {
      const added = Buffer.byteLength(text);
      if (length + added > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, length + added, 16_384));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += buffer.write(text, length);
    },
    view: () => buffer.subarray(0, length),
  };
}
